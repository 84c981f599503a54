struct s {
	int a;
	void b;
};
