-- A pair; the slave with the usual modules.
local function pair(p)
	local master = p:open("/dev/ptmx")
	p:ioctl(master, "UNLKPT")
	local slave = p:open(p:ptsname(master))
	for _, module in ipairs{"ptem", "ldterm", "ttcompat"} do
		p:push(slave, module)
	end
	return master, slave
end
process{args = "p", run = function(p)
	local m, s = pair(p)
	p:tcsetattr(s, {iflag = "ECHO"})
end}
