BEGIN { x = 'a
'; exit(0); }
