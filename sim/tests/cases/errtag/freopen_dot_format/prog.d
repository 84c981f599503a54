BEGIN { x = 1;
	freopen("."); }
