BEGIN {
	x = 1;
	printf("x is %d
", x);
}
