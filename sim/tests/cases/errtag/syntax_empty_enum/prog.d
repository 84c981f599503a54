enum e { };
