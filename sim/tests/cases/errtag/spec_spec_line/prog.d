BEGIN
{
	speculate(1);
	trace(1);
	speculate(1);
}
