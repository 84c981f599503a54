tick-5parsecs { }
