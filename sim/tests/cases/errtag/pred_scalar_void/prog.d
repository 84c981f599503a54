BEGIN /(void)1/ { }
