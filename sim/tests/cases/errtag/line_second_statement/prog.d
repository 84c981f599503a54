BEGIN {
	@a = count();
	@b = sum("x");
}
