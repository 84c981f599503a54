#pragma D attributes Evolving/Evolving/Common
BEGIN { exit(0); }
