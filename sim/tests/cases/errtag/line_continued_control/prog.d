#pragma D option \
quiet
BEGIN { trace(nosuch); }
