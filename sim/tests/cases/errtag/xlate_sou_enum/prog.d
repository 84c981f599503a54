enum e { A };
translator enum e < int i > { A = i; };
