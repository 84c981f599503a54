BEGIN,
fbt::nosuch:entry { }
