tick-5001 { }
