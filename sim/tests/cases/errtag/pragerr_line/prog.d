
#error one   two
BEGIN { }
