BEGIN, END /probename == "BEGIN"/ { printf("B"); exit(0); } BEGIN, END /probename == "END"/ { printf("E"); }
