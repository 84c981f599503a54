inline int K = 5;
BEGIN { K = 2; }
