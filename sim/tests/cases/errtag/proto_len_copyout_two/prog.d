BEGIN { copyout(0, 1); }
