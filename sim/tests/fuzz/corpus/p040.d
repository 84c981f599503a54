#pragma D attributes Stable/./,/ISA pid
ERROR { }
