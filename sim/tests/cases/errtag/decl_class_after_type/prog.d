self int this x;
