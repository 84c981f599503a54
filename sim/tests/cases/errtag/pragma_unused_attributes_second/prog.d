BEGIN { }

#pragma D attributes Stable/Stable/Common foo
