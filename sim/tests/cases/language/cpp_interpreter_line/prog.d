#!/usr/sbin/dtrace -Cs
BEGIN { printf("1"); exit(0); }
