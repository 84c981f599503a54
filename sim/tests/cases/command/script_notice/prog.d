#!/usr/bin/strsim -s
/* a comment first */
dtrace:::BEGIN
{
	printf("ran");
	exit(5);
}
