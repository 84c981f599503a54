BEGIN { exit(0); printf("rest "); }
BEGIN { printf("second "); }
END { printf("end"); }
