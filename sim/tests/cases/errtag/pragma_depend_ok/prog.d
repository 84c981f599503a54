#pragma D depends_on provider fbt
#pragma D depends_on module genunix
BEGIN { trace(1); exit(0); }
