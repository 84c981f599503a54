enum e { A, B, C }; int v[3]; BEGIN { v[C] = 7; printf("%d", v[2]); exit(0); }
