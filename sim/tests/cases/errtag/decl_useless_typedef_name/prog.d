size_t;
