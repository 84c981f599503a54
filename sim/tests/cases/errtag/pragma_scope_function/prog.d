#pragma D attributes Stable/Stable/Common rand
BEGIN { }
