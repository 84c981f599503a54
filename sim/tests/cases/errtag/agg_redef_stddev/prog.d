BEGIN {
	@a = avg(1);
	@a = stddev(1);
}
