enum e { A };
long enum e x;
