#pragma D binding "one" foo
BEGIN { }
