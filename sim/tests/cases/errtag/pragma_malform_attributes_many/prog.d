#pragma D attributes Stable/Stable/Common a b
BEGIN { }
