struct z { int a:3; int :0; int b:3; };
BEGIN { printf("%d", sizeof (struct z)); exit(0); }
