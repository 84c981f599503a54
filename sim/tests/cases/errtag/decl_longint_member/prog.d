struct t { int b; }; struct s { long struct t a; };
