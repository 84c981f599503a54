string execname;
