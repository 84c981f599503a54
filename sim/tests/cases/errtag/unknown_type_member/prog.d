struct s { nosuch_t a; };
