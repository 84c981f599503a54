#pragma D option aggsize=
BEGIN { }
