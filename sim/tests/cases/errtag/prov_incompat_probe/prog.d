provider profile {
	probe nosuch(int);
};
