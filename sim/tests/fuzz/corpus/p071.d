BEGIN
{
	printf("%d %d %d %d\n", strtoll("0"), strtoll("  12"), strtoll("+7"), strtoll(""));
	printf("%d %d %d %d\n", strtoll("ff", 16), strtoll("0XfF", 16), ("1010", 2), strtoll("z", 36));
	printf("%d %d\n", strtoll("9223372036854775807"), strtoll("-9223372036854775808"));
	printf("%d %d\n", strtoll("08",8), strtoll("- 1"));
	exit(0);
}
