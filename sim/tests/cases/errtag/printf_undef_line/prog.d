BEGIN {
	x = 1;
	printf("%q", x);
}
