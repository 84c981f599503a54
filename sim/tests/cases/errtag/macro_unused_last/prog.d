BEGIN
{
	trace($$1);
}
