#"foo"
BEGIN { exit(0); }
