#undef X
BEGIN { }
