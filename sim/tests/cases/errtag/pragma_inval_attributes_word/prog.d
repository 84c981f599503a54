#pragma D attributes Stable/Nosuch/Common ident
BEGIN { }
