struct s { void a[2]; };
