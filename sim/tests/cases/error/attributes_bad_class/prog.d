#pragma D attributes Evolving/Evolving/Foo x
BEGIN { x = 1; exit(0); }
