struct o { int a; int b; };
translator struct o < int i > {
	a = i;
	b = "x";
};
