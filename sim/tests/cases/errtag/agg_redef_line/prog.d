BEGIN
{
	@a = count();
}

BEGIN
{
	@a = max(1);
}
