-- A terminal whose master echoes what the slave echoes.
process{pid = 100, args = "looper", run = function(p)
	local m = p:open("/dev/ptmx")
	p:ioctl(m, "UNLKPT")
	local s = p:open(p:ptsname(m), "O_RDWR")
	p:push(s, "ptem")
	p:push(s, "ldterm")
	p:push(m, "ldterm")
	p:write(m, "x")
	p:sleep(10)
end}
