BEGIN {
	printf("", 1);
}
