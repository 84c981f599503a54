BEGIN { x = 2; }
BEGIN
{
	if (x == 1)
		printf("one");
	else if (x == 2)
		printf("two");
	else
		printf("many");
	exit(0);
}
