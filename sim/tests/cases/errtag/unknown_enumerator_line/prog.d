enum e {
	A,
	A
};
