fbt::nosuch*:entry { trace(1); }
