BEGIN { @a = count();
	printa("%@d"); }
