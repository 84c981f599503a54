BEGIN { trace(offsetof(nosuch_t, a)); }
