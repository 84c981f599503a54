ERROR { printf("err "); exit(7); }
BEGIN { this->x = *(char *)0; }
END { printf("end\n"); }
