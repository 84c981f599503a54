#pragma D attributes
BEGIN { }
