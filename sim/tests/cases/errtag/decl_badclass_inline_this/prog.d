inline this int x = 1;
