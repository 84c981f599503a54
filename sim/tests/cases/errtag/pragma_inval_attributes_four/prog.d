#pragma D attributes Stable/Stable/Common/ISA pid
BEGIN { }
