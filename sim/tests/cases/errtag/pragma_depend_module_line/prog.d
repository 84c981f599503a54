BEGIN { }
#pragma D depends_on module nosuch
