struct o { int a; }; BEGIN { trace(xlate <struct o> (1).a); exit(0); }
