BEGIN
{
	x = 1;
	nosuch(x);
}
