-- A TCP connection through a tunnel under ESP.
host{addr = "10.0.0.1"}
local gate = station{addr = "10.0.0.2"}
sa{dir = "out", spi = 0x1001, src = "10.0.0.1", dst = "10.0.0.2"}
sa{dir = "in", spi = 0x2002, src = "10.0.0.2", dst = "10.0.0.1"}
tunnel{tsrc = "10.0.0.1", tdst = "10.0.0.2", addr = "192.168.9.1", dstaddr = "192.168.9.2", esp = true}
local inner = station{addr = "192.168.9.2", via = gate, tunnel = {src = "10.0.0.2", dst = "10.0.0.1", spi = 0x2002}}
local spis = {}
wire:on(function(f) local p = frame.parse(f) if p.esp then spis[p.esp.spi] = (spis[p.esp.spi] or 0) + 1 end check(not p.tcp) end)
inner:listen(23, {on_data = function(c, data) c:send(data:upper()) end})
process{args = "p", run = function(p)
	local s = p:socket()
	p:connect(s, "192.168.9.2:23")
	p:write(s, "secret")
	expect(p:read(s), "SECRET")
	check(spis[0x1001] >= 3)
end}
