struct s { unsigned long long a : 65; };
