BEGIN { x = y; }
END { nosuch(); }
