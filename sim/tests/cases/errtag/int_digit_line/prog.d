BEGIN {
	x = 1;
	y = 0781;
}
