BEGIN { trace($10); }
