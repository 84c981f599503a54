BEGIN
{
	x = 3;
	y = + ;
}
