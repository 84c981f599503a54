struct s { long long void *p; };
