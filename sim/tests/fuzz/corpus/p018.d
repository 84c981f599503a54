
struct s { double a : 3; };
