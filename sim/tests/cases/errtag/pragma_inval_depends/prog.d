#pragma D depends_on nosuch x
BEGIN { }
