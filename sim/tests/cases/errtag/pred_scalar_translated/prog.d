BEGIN /curpsinfo/ { }
