#pragma D attributes A/B ident
BEGIN { }
