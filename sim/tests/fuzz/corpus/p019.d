this int yyyyyyyyyyyyyyya[];
