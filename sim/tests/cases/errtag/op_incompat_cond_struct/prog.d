struct s { int a; };
struct s v;
BEGIN { trace(pid ? v : 1); }
