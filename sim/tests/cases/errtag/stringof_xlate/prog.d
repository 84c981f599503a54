BEGIN { trace(stringof(curpsinfo)); }
