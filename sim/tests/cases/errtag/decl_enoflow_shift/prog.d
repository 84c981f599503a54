enum e { A = 1 << 31 };
