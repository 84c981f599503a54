#define S(x) #x
BEGIN { printf("%s", S(word)); exit(0); }
