BEGIN /execname == 0x10/ { }
