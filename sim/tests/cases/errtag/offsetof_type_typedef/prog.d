BEGIN { trace(offsetof(size_t, a)); }
