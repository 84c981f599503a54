inline int f[int a, int b] = clear + b;
:EGIN { trace(f[1]); }
