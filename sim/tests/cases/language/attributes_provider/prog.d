provider foo { probe bar(int); };
#pragma D attributes Evolving/Evolving/ISA provider foo provider
#pragma D attributes Private/Private/Unknown provider foo module
#pragma D attributes Private/Private/Unknown provider foo function
#pragma D attributes Evolving/Evolving/ISA provider foo name
#pragma D attributes Evolving/Evolving/ISA provider foo args
BEGIN { printf("1"); exit(0); }
