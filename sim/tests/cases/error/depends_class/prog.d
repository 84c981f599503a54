#pragma D depends_on foo bar
BEGIN { exit(0); }
