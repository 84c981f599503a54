#pragma D binding "1.0" printf
intf
avgBEGIN { }
N { }
avgBEGIN { }
