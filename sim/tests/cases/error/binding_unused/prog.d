#pragma D binding "1.0" nosuch
BEGIN { exit(0); }
