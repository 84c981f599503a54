self long char c;
