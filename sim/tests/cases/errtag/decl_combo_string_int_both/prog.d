string int s;
