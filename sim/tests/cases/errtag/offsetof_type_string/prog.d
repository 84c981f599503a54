BEGIN { trace(offsetof(string, a)); }
