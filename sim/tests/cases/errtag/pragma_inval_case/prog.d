#pragma D Option quiet
BEGIN { }
