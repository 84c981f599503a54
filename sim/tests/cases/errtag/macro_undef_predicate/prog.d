BEGIN /$1/ { }
