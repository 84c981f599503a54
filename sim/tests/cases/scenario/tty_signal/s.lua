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

-- Interrupt and hang-up reach the foreground of the terminal's session.
local caught
process{args = "emulator", run = function(p)
	local m = p:open("/dev/ptmx")
	p:ioctl(m, "UNLKPT")
	p:sleep(1)
	p:write(m, "abc\3")
	p:sleep(1)
	expect(caught, "SIGINT")
	p:close(m)
end}
local shell = process{args = "shell", run = function(p)
	p:sleep(0.5)
	local s = p:open("/dev/pts/1")
	for _, module in ipairs{"ptem", "ldterm", "ttcompat"} do
		p:push(s, module)
	end
	expect(p:ioctl(s, "TIOCGSID"), p.pid)
	p:signal("SIGINT", function(_, name) caught = name end)
	expect({p.try:read(s)}, {nil, "EINTR"})
	p:read(s)
	log("not reached: SIGHUP ends it")
end}
at(5, function() check(not shell:alive()) end)
