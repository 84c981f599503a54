BEGIN { copyoutstr("a"); }
