#pragma D attributes Evolving/Evolving/Common x
int x; BEGIN { x = 1; printf("%d", x); exit(0); }
