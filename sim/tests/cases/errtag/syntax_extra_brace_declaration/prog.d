struct s { int a; }; };
BEGIN { }
