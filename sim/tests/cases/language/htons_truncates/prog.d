BEGIN { printf("%x %x %x\n", htons(0x12345678), htonl(0x1122334455667788), htonll(0x1122334455667788)); exit(0); }
