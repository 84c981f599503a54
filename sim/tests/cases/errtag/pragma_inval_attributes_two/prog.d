#pragma D attributes Stable/Stable pid
BEGIN { }
