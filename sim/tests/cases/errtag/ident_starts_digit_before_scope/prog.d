BEGIN { trace(9p`f); }
