#!/usr/sbin/dtrace -s
BEGIN { trace(nosuch); }
