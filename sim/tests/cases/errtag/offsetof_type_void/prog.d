BEGIN { trace(offsetof(void, a)); }
