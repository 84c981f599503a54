typedef int foo; BEGIN { self->foo = 4; printf("%d", self->foo); exit(0); }
