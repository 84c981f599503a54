BEGIN {
	x = 1;
	y = 2;
	printf("%d", x, y);
}
