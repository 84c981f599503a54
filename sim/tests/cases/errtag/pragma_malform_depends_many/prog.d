#pragma D depends_on provider fbt sdt
BEGIN { }
