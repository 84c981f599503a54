/* The names of the process that fires BEGIN are arrays of characters with nothing but NULs behind the text. */
BEGIN
{
	trace(curpsinfo->pr_fname);
	printf(" %d\n", curpsinfo->pr_fname[15]);
	exit(0);
}
