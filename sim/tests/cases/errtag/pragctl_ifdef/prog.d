#ifdef X
BEGIN { }
