BEGIN {
	/* one /* two */
}
