self int x;
self int x[int];if