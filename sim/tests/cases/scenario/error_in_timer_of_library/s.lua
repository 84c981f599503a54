-- A function that the machine calls from the library: the line that asked for it is named.
host{addr = "10.0.0.1"}
peer.tcp{addr = "10.0.0.2", connect = {addr = "10.0.0.1", port = 9}, on_close = function(c, why)
	error("closed: " .. why)
end}
