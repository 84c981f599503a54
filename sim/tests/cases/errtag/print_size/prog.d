struct s;
BEGIN { print((struct s *)alloca(4)); }
