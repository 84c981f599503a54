struct s;
fbt::: { trace(sizeof (struct s)); }
