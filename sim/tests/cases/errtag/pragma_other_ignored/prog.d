#pragma weak foo
#pragma ident "x"
#ident "y"
BEGIN { trace(1); exit(0); }
