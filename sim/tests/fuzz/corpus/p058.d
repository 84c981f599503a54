#pragma D option \
quiet
BEGIN {speculation() trace(nosuch); }
