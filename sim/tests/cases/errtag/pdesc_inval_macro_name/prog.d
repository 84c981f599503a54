fbt::$nosuch:entry { }
