#pragma D binding
BEGIN { }
