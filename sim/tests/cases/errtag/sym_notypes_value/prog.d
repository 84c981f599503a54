BEGIN {
	x = `dtrace_tramp_return;
}
