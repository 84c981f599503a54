int a[3];
BEGIN { trace(stringof(a)); }
