BEGIN$1 { }
