self int x = 1;
