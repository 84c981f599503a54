enum e { 1 };
