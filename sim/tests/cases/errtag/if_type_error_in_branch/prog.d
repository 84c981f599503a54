BEGIN {
	x = 1;
	if (x == 1) {
		trace(nosuch);
	}
}
