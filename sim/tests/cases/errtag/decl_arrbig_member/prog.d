struct s { char a[0x100000000]; };
