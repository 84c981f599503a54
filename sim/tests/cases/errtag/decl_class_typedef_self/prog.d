typedef self int x;
