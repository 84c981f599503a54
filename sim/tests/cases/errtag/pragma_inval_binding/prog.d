#pragma D binding "x.y" ident
BEGIN { }
