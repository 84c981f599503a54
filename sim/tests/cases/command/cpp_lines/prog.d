#!/usr/sbin/strsim -Cs
#include <sys/file.h>
#define N 3

BEGIN { trace(nosuch); }
