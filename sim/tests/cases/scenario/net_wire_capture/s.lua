host{addr = "10.0.0.1"}
peer.tcp{addr = "10.0.0.2", listen = 7, on_data = function(c, data) c:send(data) end}
process{args = "p", run = function(p)
	local s = p:socket()
	p:connect(s, "10.0.0.2:7")
	p:write(s, "mapped")
	expect(p:read(s), "mapped")
end}
