local h = host{addr = "10.0.0.1"}
h:route{gateway = "192.168.9.9"}
