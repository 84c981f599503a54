-- A peer whose segment is lost sends it again; one that gets no answer gives up.
host{addr = "10.0.0.1"}
local far = station{addr = "10.0.0.2"}
local why, c
process{args = "server", run = function(p)
	local s = p:socket()
	p:bind(s, "*:7") p:listen(s)
	local fd = p:accept(s)
	expect(p:read(fd), "again")
	expect(now(), 2.0)
end}
at(1, function()
	c = far:connect{addr = "10.0.0.1", port = 7, on_open = function(conn)
		local real = far.send
		far.send = function() end -- lost
		conn:send("again")
		far.send = real
	end}
	station{addr = "10.0.0.3"}:connect{addr = "10.0.0.44", port = 7, rto = 0.1, tries = 3, on_close = function(_, reason) why = {reason, now()} end}
end)
at(5, function()
	-- 0.1 + 0.2 + 0.4 + 0.8 s after the first SYN
	expect(why, {"timeout", 2.5})
	c:reset()
end)
