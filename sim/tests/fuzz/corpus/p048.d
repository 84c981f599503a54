struct copyins { int a; };
struct s v;
BEGIN { ++v; }
