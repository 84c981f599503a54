-- Connections both ways, a reset, a refusal, and bytes in both directions.
host{addr = "10.0.0.1"}
local far = station{addr = "10.0.0.2"}
local fin, closed_by
far:listen(80, {ack_delay = 0.02, mss = 500,
	on_data = function(c, data) c.text = (c.text or "") .. data if c.text:sub(-1) == "." then c:send(c.text:reverse()) end end,
	on_fin = function(c) fin = now() c:close() end,
	on_close = function(c, why) closed_by = why end})
far:listen(81, {on_open = function(c) c:reset() end})
process{args = "client", run = function(p)
	local s = p:socket()
	p:connect(s, "10.0.0.2:80")
	local text = ("abcdefghij"):rep(300) .. "."
	expect(p:write(s, text), 3001)
	local back = ""
	while #back < 3001 do back = back .. p:read(s) end
	expect(back, text:reverse())
	p:close(s)
	p:sleep(1)
	expect(closed_by, "closed")
	s = p:socket()
	expect({p.try:connect(s, "10.0.0.2:99")}, {nil, "ECONNREFUSED"})
	s = p:socket()
	p:connect(s, "10.0.0.2:81")
	p:sleep(0.1)
	expect({p.try:read(s)}, {nil, "ECONNRESET"})
end}
process{args = "server", run = function(p)
	local s = p:socket()
	p:bind(s, "*:25") p:listen(s)
	local c, from = p:accept(s)
	expect({from.addr, from.port}, {"10.0.0.2", 1234})
	p:write(c, "220 ready\n")
	expect(p:read(c), "QUIT\n")
	expect(p:read(c), "")
end}
at(0.5, function()
	far:connect{addr = "10.0.0.1", port = 25, from = 1234, isn = 0xfffffff0, on_data = function(c, data)
		expect(data, "220 ready\n")
		c:send("QUIT\n")
		c:close()
	end}
end)
