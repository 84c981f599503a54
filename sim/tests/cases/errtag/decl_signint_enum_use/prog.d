enum e { A }; unsigned enum e x;
