BEGIN { copyoutstr(1, 1, 1); }
