BEGIN
/nosuch/
{
	trace(1);
}
