enum e {
	A,
	B = 0x80000000,
	C
};
