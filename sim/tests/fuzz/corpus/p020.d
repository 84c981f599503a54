BEGIN {symtrace($$nosuch); }
