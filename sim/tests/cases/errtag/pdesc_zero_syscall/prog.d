syscall::nosuch:entry { trace(1); }
