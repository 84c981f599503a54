#pragma D depends_on  net.d
BEGIN { }
