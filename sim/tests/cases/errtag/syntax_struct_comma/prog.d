struct s { int a, ; };
