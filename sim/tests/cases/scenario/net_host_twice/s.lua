host{addr = "10.0.0.1"}
host{addr = "10.0.0.2"}
