	BEGIN	
	{ printf("1"); exit(0); }
