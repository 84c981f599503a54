BEGIN /1/ { printf("x"); if (0, toupper(""));
	exit(0);
}
) printf("a"); else printf(++++++++++"b")|%s|%s\n; -(0); }
