long long char c;
