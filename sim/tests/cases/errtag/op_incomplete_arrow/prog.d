struct s;
BEGIN { trace(((struct s *)0)->a); }
