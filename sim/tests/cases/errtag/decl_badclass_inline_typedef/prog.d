inline typedef int x = 1;
