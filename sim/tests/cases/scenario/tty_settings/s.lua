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
	expect(p:ptsname(m), "/dev/pts/1")
	check(p.try:ptsname(s) == nil)
	local t = p:tcgetattr(s)
	expect(t.lflag, {ISIG = true, ICANON = true, ECHO = true, ECHOE = true, ECHOK = true, ECHOCTL = true, ECHOKE = true, IEXTEN = true})
	expect({t.cc.VINTR, t.cc.VKILL, t.cc.VWERASE}, {3, 21, 23})
	expect(t.cflag, {B9600 = true, CS8 = true, CREAD = true})
	p:tcsetattr(s, {ICANON = false, ECHO = false, VMIN = 2, VTIME = 5, IXANY = true})
	t = p:tcgetattr(s)
	expect({t.lflag.ICANON, t.lflag.ECHO, t.lflag.ISIG, t.iflag.IXANY, t.cc.VMIN, t.cc.VTIME}, {nil, nil, true, true, 2, 5})
	p:tcsetattr(s, {iflag = "ICRNL", oflag = {OPOST = true}, cc = {VINTR = "^X", VERASE = "^?", VKILL = "@", VEOL = "undef"}}, "flush")
	t = p:tcgetattr(s)
	expect({t.iflag, t.oflag, t.cc.VINTR, t.cc.VERASE, t.cc.VKILL, t.cc.VEOL}, {{ICRNL = true}, {OPOST = true}, 24, 127, 64, 0})
	p:stty(s, "sane cs7 -echo intr ^A 19200 tab3")
	t = p:tcgetattr(s)
	expect({t.cflag, t.lflag.ECHO, t.lflag.ICANON, t.cc.VINTR, t.oflag.TAB3}, {{CS7 = true, CREAD = true, B19200 = true}, nil, true, 1, true})
	p:stty(s, "raw")
	t = p:tcgetattr(s)
	expect({t.lflag.ICANON, t.lflag.ISIG, t.oflag.OPOST, t.cflag.CS8, t.cc.VMIN, t.cc.VTIME}, {nil, nil, nil, true, 1, 0})
	expect(p:winsize(s), {rows = 0, cols = 0, xpixel = 0, ypixel = 0})
	p:stty(s, "rows 24 columns 80")
	p:winsize(s, {xpixel = 640})
	expect(p:winsize(s), {rows = 24, cols = 80, xpixel = 640, ypixel = 0})
	expect(p:ioctl(s, "TCGETA").c_cc[1], 1)
	p:tcsetattr(s, t)
	expect(p:tcgetattr(s), t)
end}
