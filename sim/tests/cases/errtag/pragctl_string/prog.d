
# "file"
BEGIN { }
