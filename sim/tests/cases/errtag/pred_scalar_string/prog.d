BEGIN /"x"/ { }
