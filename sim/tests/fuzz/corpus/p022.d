BEGIN
{
	trace(1 +
	   x);
}
