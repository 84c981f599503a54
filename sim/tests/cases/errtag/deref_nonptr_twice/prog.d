BEGIN { p = (int *)0; trace(**p); }
