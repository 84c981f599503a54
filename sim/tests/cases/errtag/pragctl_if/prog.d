#if 1
BEGIN { }
