BEGIN /strlen(probename) == 5 && strstr(probename, "GI") != NULL/ { printf("y"); exit(0); }
