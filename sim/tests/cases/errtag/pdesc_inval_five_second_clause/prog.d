BEGIN { }
a:b:c:d:e { }
