-- An AF_INET6 socket with IPv4-mapped addresses.
host{addr = "10.0.0.1"}
peer.tcp{addr = "10.0.0.2", listen = 7, on_data = function(c, data) c:send(data) end}
process{args = "p", run = function(p)
	local s = p:socket("AF_INET6", "SOCK_STREAM")
	p:connect(s, {family = "AF_INET6", addr = "10.0.0.2", port = 7})
	p:write(s, "mapped")
	expect(p:read(s), "mapped")
	expect(p:getpeername(s), {family = "AF_INET6", addr = "10.0.0.2", port = 7})
end}
