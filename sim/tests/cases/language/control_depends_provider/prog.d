#pragma D depends_on provider fbt
BEGIN { printf("4"); exit(0); }
