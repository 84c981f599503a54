#pragma D option undef=X
BEGIN { }
