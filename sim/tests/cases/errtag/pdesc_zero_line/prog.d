BEGIN { }

nosuch:::entry
{
	trace(1);
}
