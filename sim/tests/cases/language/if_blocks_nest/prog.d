BEGIN { x = 2; y = 7; }
BEGIN
{
	printf("<");
	if (x == 2) {
		printf("x");
		if (y == 8) {
			printf("8");
		} else {
			printf("not8");
			z = 1;
		}
		printf("!");
	} else {
		printf("no");
		if (y == 7) printf("seven");
	}
	printf(">%d", z);
	exit(0);
}
