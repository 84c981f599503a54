#pragma D attributes Evolving/Evolving x
BEGIN { x = 1; exit(0); }
