enum e { A };
BEGIN { trace(1 % A); }
