enum e { A = rand() };
