BEGIN /* before */ / /* in */ 1 /* out */ / /* after */ { printf("1"); exit(0); }
