#pragma D option quiet = 1
BEGIN { }
