struct s { uint8_t a : 9; };
