enum e { A }; long long enum e x;
