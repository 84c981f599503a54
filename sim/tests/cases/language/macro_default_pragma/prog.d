#pragma D option defaultargs
BEGIN { printf("%d [%s]", $1, $$2); exit(0); }
