self int a`b;
