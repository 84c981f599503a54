BEGIN {
	trace('ab
cd');
}
