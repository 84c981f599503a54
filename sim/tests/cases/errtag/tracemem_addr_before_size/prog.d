BEGIN { tracemem("a", 0); }
