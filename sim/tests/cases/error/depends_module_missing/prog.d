#pragma D depends_on module nosuch
BEGIN { exit(0); }
