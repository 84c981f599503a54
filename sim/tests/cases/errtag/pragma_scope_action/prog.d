#pragma D binding "1.0" printf
BEGIN { }
