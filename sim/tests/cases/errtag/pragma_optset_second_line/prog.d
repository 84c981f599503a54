#pragma D option quiet
#pragma D option nosuch=3
BEGIN { }
