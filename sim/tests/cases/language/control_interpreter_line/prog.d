#!/usr/sbin/dtrace -qs
BEGIN { printf("5"); exit(0); }
