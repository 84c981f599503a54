BEGIN /execname == "a
"/ { }
