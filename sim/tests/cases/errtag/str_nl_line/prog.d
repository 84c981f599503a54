BEGIN
{
	trace("ab
cd");
}
