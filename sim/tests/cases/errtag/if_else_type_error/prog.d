BEGIN {
	x = 1;
	if (x == 1)
		x = 2;
	else x = "a";
}
