enum e { A } int x;
