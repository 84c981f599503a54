-- A command by its number: what could lead the kernel to other memory is refused.
process{run = function(p)
	local a, b = p:pipe()
	p:write(a, "abc")
	local FIONREAD, I_STR, TCGETS = 0x4004667f, string.byte("S") << 8 | 8, string.byte("T") << 8 | 13
	local bytes = p:ioctl(b, FIONREAD, "\0\0\0\0")
	expect(string.unpack("<i4", bytes), 3)
	expect({p.try:ioctl(b, FIONREAD, 1)}, {nil, "EFAULT"})
	expect(pcall(p.ioctl, p, b, FIONREAD, 0x500000), false)
	expect(pcall(p.ioctl, p, b, I_STR, ("\0"):rep(24)), false)
	-- a structure larger than the bytes that were given
	local master = p:open("/dev/ptmx")
	p:ioctl(master, "UNLKPT")
	local tty = p:open(p:ptsname(master))
	p:push(tty, "ptem")
	p:push(tty, "ldterm")
	expect(#p:ioctl(tty, TCGETS, "x"), 1)
end}
