BEGIN { copyout("a", 1, 1); }
