#line 3 file
BEGIN { }
