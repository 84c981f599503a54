this void x;
