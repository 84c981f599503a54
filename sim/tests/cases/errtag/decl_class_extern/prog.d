extern self int x;
