struct s { short a : 17; };
