#pragma D option bufsize=4x
BEGIN { }
