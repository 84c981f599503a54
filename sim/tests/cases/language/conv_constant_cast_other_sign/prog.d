BEGIN { printf("%d %d %d", (int)(char)255, (int)(unsigned char)-1, (int)(unsigned short)-1); exit(0); }
