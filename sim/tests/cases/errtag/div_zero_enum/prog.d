enum e { A = 1 / 0 };
