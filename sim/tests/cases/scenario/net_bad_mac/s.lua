local h = host{addr = "10.0.0.1"}
h:arp{ip = "10.0.0.2", mac = "x"}
