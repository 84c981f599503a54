#pragma D depends_on
BEGIN { }
