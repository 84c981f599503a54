translator string < int i > { };
