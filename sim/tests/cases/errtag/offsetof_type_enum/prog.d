enum e { A };
BEGIN { trace(offsetof(enum e, A)); }
