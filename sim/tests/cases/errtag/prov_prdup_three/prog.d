provider p {
	probe a(int);
	probe b(int);
	probe a(int);
};
