#pragma D option cpphdrs
BEGIN { }
