#pragma D attributes Evolving/Evolving/Common nosuch
BEGIN { exit(0); }
