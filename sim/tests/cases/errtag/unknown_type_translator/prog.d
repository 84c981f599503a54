translator nosuch_t < int i > { a = i; };
BEGIN { }
