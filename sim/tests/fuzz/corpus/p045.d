#ident "NULL at all"
BEGIN { printf("5"); exit(0); }
