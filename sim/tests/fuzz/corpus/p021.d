BEGIN { stack(); commit(1); }
