-- Processes that do anything to any stream, while anything is typed and comes from the wire.  Nothing is expected but
-- that the model survives: chance is seeded (strsim --seed; sfuzz), so that the same seed gives the same story.
local devices = {"/dev/ptmx", "/dev/ptmx", "/dev/kbd", "/dev/mouse", "/dev/conskbd1", "/dev/kb8042", "/dev/internal_mouse",
	"/dev/mouse8042", "/dev/ticots", "/dev/ticotsord", "/dev/ticlts", "/dev/ip", "/dev/udp", "/dev/icmp", "/dev/rawip",
	"/dev/tcp", "/dev/tcp6", "/dev/ipsecesp", "/dev/rtls", "/dev/rtls0", "/dev/pts/0", "/dev/pts/1", "/dev/pts/2", "/dev/tty",
	"/dev/null", "/dev/nothing"}
local modules = {"ptem", "ldterm", "ttcompat", "bufmod", "timod", "pipemod", "vuid3ps2", "tun", "arp", "ip", "udp", "icmp",
	"nothing"}
local commands = {"I_NREAD", "I_PUSH", "I_POP", "I_LOOK", "I_FLUSH", "I_SRDOPT", "I_GRDOPT", "I_SETSIG", "I_GETSIG", "I_FIND",
	"I_LINK", "I_UNLINK", "I_SENDFD", "I_RECVFD", "I_SWROPT", "I_GWROPT", "I_LIST", "I_PLINK", "I_PUNLINK", "I_ANCHOR",
	"I_FLUSHBAND", "I_CKBAND", "I_GETBAND", "I_ATMARK", "I_SETCLTIME", "I_GETCLTIME", "I_CANPUT", "I_SERROPT", "I_GERROPT",
	"I_ESETSIG", "I_EGETSIG", "FIONREAD", "FIORDCHK", "FIONBIO", "FIOASYNC", "TCGETA", "TCSETA", "TCSETAW", "TCSETAF",
	"TCGETS", "TCSETS", "TCSETSW", "TCSETSF", "TCSBRK", "TCXONC", "TCFLSH", "TCDSET", "TIOCKBON", "TIOCKBOF", "KBENABLED",
	"TIOCSWINSZ", "TIOCGWINSZ", "TIOCGSOFTCAR", "TIOCSSOFTCAR", "TIOCGPGRP", "TIOCSPGRP", "TIOCGSID", "TIOCSTI", "TIOCMGET",
	"TIOCMSET", "TIOCMBIS", "TIOCMBIC", "LDGETT", "LDSETT", "LDOPEN", "LDCLOSE", "LDCHG", "TIOCGETD", "TIOCSETD", "TIOCHPCL",
	"TIOCGETP", "TIOCSETP", "TIOCSETN", "TIOCEXCL", "TIOCNXCL", "TIOCFLUSH", "TIOCSETC", "TIOCGETC", "TIOCLBIS", "TIOCLBIC",
	"TIOCLSET", "TIOCLGET", "TIOCSBRK", "TIOCCBRK", "TIOCSDTR", "TIOCCDTR", "TIOCSLTC", "TIOCGLTC", "TIOCSTOP", "TIOCSTART",
	"TIOCREMOTE", "TIOCSIGNAL", "TIOCSSIZE", "TIOCGSIZE", "JWINSIZE", "ISPTM", "UNLKPT", "PTSSTTY", "ZONEPT", "SBIOCSTIME",
	"SBIOCGTIME", "SBIOCCTIME", "SBIOCSCHUNK", "SBIOCGCHUNK", "SBIOCSSNAP", "SBIOCGSNAP", "SBIOCSFLAGS", "SBIOCGFLAGS",
	"KIOCCMD", "KIOCTYPE", "KIOCSDIRECT", "KIOCGDIRECT", "KIOCSKEY", "KIOCGKEY", "KIOCSETKEY", "KIOCGETKEY", "KIOCSLED",
	"KIOCGLED", "KIOCSCOMPAT", "KIOCGCOMPAT", "KIOCSLAYOUT", "KIOCLAYOUT", "KIOCSKABORTEN", "KIOCGRPTDELAY",
	"KIOCSRPTDELAY", "KIOCGRPTRATE", "KIOCSRPTRATE", "KIOCTRANS", "KIOCGTRANS", "KIOCTRANSABLE", "KIOCGTRANSABLE",
	"MSIOGETPARMS", "MSIOSETPARMS", "MSIOBUTTONS", "MSIOSRESOLUTION", "VUIDSFORMAT", "VUIDGFORMAT", "VUIDSADDR", "VUIDGADDR",
	"VUIDGWHEELCOUNT", "VUIDGWHEELINFO", "VUIDGWHEELSTATE", "VUIDSWHEELSTATE", "SIOCATMARK", "I_STR", "I_PEEK", "I_FDINSERT"}
local inner = {"TI_GETINFO", "TI_OPTMGMT", "TI_BIND", "TI_UNBIND", "TI_GETMYNAME", "TI_GETPEERNAME", "TI_SYNC",
	"TI_CAPABILITY"}
local primitives = {0x1001, 0x1002, 0x1003, 0x100, 0x102, 0x110, 0x111, 0x1d, 0x1e, 0x1f, 0x20, 0x31, 0x33}
local signals = {"SIGINT", "SIGQUIT", "SIGHUP", "SIGUSR1", "SIGTSTP", "SIGCONT", "SIGTTIN", "SIGTTOU", "SIGTERM", "SIGKILL",
	"SIGWINCH", "SIGPOLL", "SIGSTOP"}
local interesting = {0, 1, 2, 3, 4, 5, 7, 8, 16, 17, 20, 21, 36, 127, 128, 255, 256, 1023, 4095, 32767, 65535, 65536, 0x7fffffff,
	-1, -2, -128, -0x80000000, 0xffffffff}

local function pick(list)
	return list[random(#list)]
end

local function chance(percent)
	return random(100) <= percent
end

local function number()
	return chance(50) and pick(interesting) or random(-10, 300)
end

local function bytes(max)
	local n = chance(10) and random(0, max * 40) or random(0, max)
	if chance(30) then
		return (string.char(random(0, 255))):rep(n)
	end
	local t = {}
	for i = 1, n do
		t[i] = string.char(chance(30) and pick{3, 4, 8, 10, 13, 17, 19, 21, 22, 23, 26, 28, 127, 255} or random(0, 255))
	end
	return table.concat(t)
end

-- A T_, DL_ or other primitive: a number, and words that could be lengths and offsets.
local function primitive()
	local t = {string.pack("<I4", chance(20) and pick(primitives) or random(0, 45))}
	for i = 1, random(0, 12) do
		t[i + 1] = string.pack("<I4", (chance(60) and pick{0, 1, 2, 4, 8, 16, 20, 24, 28, 32, 36} or number()) & 0xffffffff)
	end
	if chance(50) then
		t[#t + 1] = string.pack("<I2>I2", 2, random(0, 65535)) .. string.char(pick{127, 10}, 0, 0, random(0, 3)) .. ("\0"):rep(8)
	end
	local s = table.concat(t)
	return chance(15) and s:sub(1, random(0, #s)) or s
end

local function value()
	return pick{number, number, bytes, function() return pick(modules) end, function() return {} end,
		function() return {ws_row = number(), ws_col = number()} end,
		function() return {c_iflag = number(), c_oflag = number(), c_lflag = number(), c_cflag = number(), c_cc = {number(),
			number(), number(), number(), number(), number()}} end,
		function() return {tv_sec = number(), tv_usec = number()} end,
		function() return {sg_erase = number(), sg_flags = number(), sg_ospeed = number()} end,
		function() return {kio_tablemask = number(), kio_station = number(), kio_entry = number()} end,
		function() return {base = number(), next = number()} end,
		function() return {vers = number(), id = number(), stateflags = number(), format = number()} end,
		function() return {bi_pri = number(), bi_flag = number()} end,
		function() return {ss_pid = number(), ss_events = number()} end,
		function() return {cmd = chance(50) and pick(inner) or chance(80) and pick(commands) or number(), timeout = pick{0, 1, -1},
			data = chance(50) and primitive() or bytes(64)} end,
		function() return {ctl = primitive(), data = bytes(40), fd = random(0, 12), offset = number()} end}(40)
end

-- Mostly one that is open.
local tops = {}
local function fd(p)
	return chance(95) and random(0, tops[p.pid] or 3) or number()
end

local function opened(p, a, b)
	tops[p.pid] = math.max(tops[p.pid] or 0, a or 0, b or 0)
end

local acts = {}
local function act(weight, f)
	for _ = 1, weight do
		acts[#acts + 1] = f
	end
end

act(6, function(p) opened(p, p:open(pick(devices), pick{"O_RDWR", "O_RDWR|O_NONBLOCK", "O_RDWR|O_NONBLOCK", "O_RDWR|O_NONBLOCK", "O_RDONLY", "O_WRONLY", "O_RDWR|O_NOCTTY"})) end)
act(3, function(p)
	local m = p:open("/dev/ptmx")
	p:ioctl(m, "UNLKPT")
	local s = p:open(p:ptsname(m), pick{"O_RDWR", "O_RDWR|O_NONBLOCK"})
	opened(p, m, s)
	for _, module in ipairs{"ptem", "ldterm", "ttcompat"} do
		if chance(90) then
			p:push(s, module)
		end
	end
end)
act(2, function(p) opened(p, p:pipe()) end)
act(1, function(p) opened(p, p:socketpair()) end)
act(2, function(p) opened(p, p:socket(pick{"AF_INET", "AF_UNIX", "AF_INET6"}, pick{"SOCK_STREAM", "SOCK_DGRAM", "SOCK_RAW"})) end)
act(1, function(p) opened(p, p:t_open(pick{"/dev/udp", "/dev/ticlts", "/dev/ticotsord", "/dev/tcp"})) end)
local openers = #acts
act(4, function(p) p:close(fd(p)) end)
act(8, function(p) p:push(fd(p), pick(modules)) end)
act(3, function(p) p:pop(fd(p)) end)
act(4, function(p) p:link(fd(p), fd(p)) end)
act(2, function(p) p:plink(fd(p), fd(p)) end)
act(3, function(p) p:unlink(fd(p), chance(50) and -1 or number()) end)
act(2, function(p) p:punlink(fd(p), chance(50) and -1 or number()) end)
-- The kinds of values are found out by trying: with p.try, an error is about the value.
local function ioctl(p, fd, command)
	for _ = 1, 8 do
		if pcall(p.try.ioctl, p.try, fd, command, value()) then
			return
		end
	end
end
act(25, function(p) ioctl(p, fd(p), pick(commands)) end)
act(8, function(p) ioctl(p, fd(p), "I_STR") end)
act(6, function(p) p:ioctl(fd(p), random(0, 255) << 8 | random(0, 127), chance(50) and bytes(80) or random(-10, 4095)) end)
act(10, function(p) p:putmsg(fd(p), chance(80) and primitive() or nil, chance(60) and bytes(60) or nil, chance(20) and "RS_HIPRI" or 0) end)
act(4, function(p) p:putpmsg(fd(p), chance(40) and primitive() or nil, bytes(60), random(0, 255)) end)
act(4, function(p) p:getmsg(fd(p), pick{0, 1, 10, 8192}) end)
act(2, function(p) p:getpmsg(fd(p), pick{0, 1, 10, 8192}) end)
act(8, function(p) p:read(fd(p), pick{0, 1, 10, 8192}) end)
act(12, function(p) p:write(fd(p), bytes(100)) end)
act(2, function(p) p:write(fd(p), ("x"):rep(random(1, 100000))) end)
act(2, function(p) p:writev(fd(p), {bytes(10), bytes(10), bytes(10)}) end)
act(3, function(p) p:poll({{fd = fd(p), events = number() & 0x3ff}, {fd = fd(p), events = "POLLIN|POLLOUT|POLLPRI"}}, random(0, 300)) end)
act(3, function(p) p:fcntl(fd(p), "F_SETFL", pick{"O_RDWR|O_NONBLOCK", "O_RDWR"}) end)
act(2, function(p) opened(p, (p:dup(fd(p), random(0, 12)))) end)
act(3, function(p) p:kill(chance(50) and p.pid or random(100, 110), pick(signals)) end)
act(2, function(p) p:signal(pick(signals), pick{"ignore", "default", function() p.try:write(fd(p), "caught") end}) end)
act(1, function(p) p:setsid() end)
act(1, function(p) p:setpgrp() end)
act(1, function(p) p:stty(fd(p), pick{"raw", "sane", "-echo", "cbreak", "cooked", "min 0 time 1"}) end)
act(2, function(p) p:bind(fd(p), pick{"*:0", "*:4000", "127.0.0.1:4001", "/tmp/a", "/tmp/b", "192.168.9.1:4000"}) end)
act(2, function(p) p:connect(fd(p), pick{"127.0.0.1:4000", "10.0.0.9:4001", "10.0.0.1:4000", "/tmp/a", "/tmp/b", "192.168.9.2:23"}) end)
act(2, function(p) p:listen(fd(p), number()) end)
act(1, function(p) p:accept(fd(p)) end)
act(1, function(p) p:shutdown(fd(p), pick{"SHUT_RD", "SHUT_WR", "SHUT_RDWR"}) end)
act(2, function(p) p:sendto(fd(p), bytes(200), pick{"127.0.0.1:4000", "10.0.0.9:4001", "192.168.9.2:5", "/tmp/a", "*:0"}) end)
act(1, function(p) p:setsockopt(fd(p), pick{"SO_KEEPALIVE", "TCP_NODELAY", "SO_RCVBUF", "SO_SNDBUF", "IP_TTL"}, number()) end)
act(6, function(p) p:sleep(random() * pick{0, 0.02, 0.5}) end)

-- A process: it does so many things, each of which may fail; some share the files of the one that made them.
local left = 25
local function body(steps, top)
	return function(p)
		tops[p.pid] = top
		for _ = 1, random(0, 6) do
			pcall(acts[random(openers)], p)
		end
		for _ = 1, steps do
			local ok, err = pcall(pick(acts), p)
			if not ok and chance(3) then
				log(p.pid, err)
			end
			if left > 0 and chance(4) then
				left = left - 1
				process{args = "child", parent = chance(70) and p or nil, run = body(random(1, steps), tops[p.pid])}
			elseif chance(2) then
				p:thread(function(q)
					for _ = 1, random(1, 20) do
						pcall(pick(acts), q)
					end
				end)
			elseif chance(1) then
				p:exit(random(0, 255))
			end
		end
	end
end
for i = 1, random(2, 9) do
	process{pid = 99 + i, args = "p" .. i, uid = chance(20) and 100 or 0, run = body(random(5, 120))}
end

-- ---- what comes from outside ----

local tunnelled = chance(60)
host{addr = "10.0.0.1"}
local gate = station{addr = "10.0.0.2"}
if tunnelled then
	sa{dir = "out", spi = 0x1001, src = "10.0.0.1", dst = "10.0.0.2"}
	sa{dir = "in", spi = 0x2002, src = "10.0.0.2", dst = "10.0.0.1"}
	tunnel{tsrc = "10.0.0.1", tdst = "10.0.0.2", addr = "192.168.9.1", dstaddr = "192.168.9.2", esp = chance(70)}
	local far = station{addr = "192.168.9.2", via = gate, tunnel = {src = "10.0.0.2", dst = "10.0.0.1", spi = 0x2002}}
	far:listen(23, {on_data = function(c, data) c:send(data:sub(1, 500)) end})
end
if chance(80) then
	console.attach()
end

-- Some of the bytes changed, left out or added.
local function bend(s)
	for _ = 1, chance(60) and random(1, 4) or 0 do
		local at = random(0, #s)
		s = s:sub(1, at) .. pick{"", "", bytes(3), string.char(random(0, 255))} .. s:sub(at + 1 + random(0, 2))
	end
	return s
end

local function segment()
	local t = {src = pick{"10.0.0.2", "192.168.9.2", "127.0.0.1"}, dst = pick{"10.0.0.1", "192.168.9.1", "10.0.0.255"},
		sport = random(0, 65535), dport = pick{23, 4000, 4001, random(0, 65535)}, payload = bytes(60), flags = random(0, 255),
		seq = number() & 0xffffffff, ack = number() & 0xffffffff, window = random(0, 65535), type = random(0, 20),
		code = random(0, 5), ttl = random(1, 255), id = random(0, 65535), mf = chance(20), offset = chance(20) and random(0, 8000) or 0}
	t.proto = pick{"udp", "tcp", "icmp", random(0, 255)}
	if t.proto == "icmp" then
		t.seq = t.seq & 0xffff
	end
	t.payload = t.proto == "udp" and frame.udp(t) or t.proto == "tcp" and frame.tcp(t) or t.proto == "icmp" and frame.icmp(t) or
		t.payload
	return frame.ip(t)
end

local sequence = 0
local function packet()
	local outer = {src = "10.0.0.2", dst = "10.0.0.1"}
	if chance(50) then
		return segment()
	elseif chance(30) then
		outer.proto, outer.payload = "ipip", bend(segment())
	else
		sequence = sequence + pick{1, 1, 1, 0, 40}
		outer.proto = "esp"
		outer.payload = bend(frame.esp{spi = chance(80) and 0x2002 or random(0, 65535), seq = sequence, payload = bend(segment()),
			next = chance(80) and 4 or random(0, 255)})
	end
	return frame.ip(outer)
end

every(0.1, function()
	for _ = 1, random(0, 4) do
		local f = chance(80) and frame.eth{dst = "00:11:22:33:44:55", src = "02:00:00:00:00:02", payload = packet()} or
			frame.eth{dst = frame.broadcast, src = "02:00:00:00:00:02", type = "arp", payload = bend(frame.arp{op = random(0, 3),
				sender_mac = "02:00:00:00:00:02", sender_ip = "10.0.0.2", target_ip = "10.0.0.1"})}
		f = chance(50) and frame.broadcast:len() > 0 and ("\255"):rep(6) .. f:sub(7) or f
		pcall(wire.send, wire, bend(f))
	end
	for _ = 1, random(0, 5) do
		keyboard:bytes(bytes(3))
		if chance(50) then
			mouse:bytes(bytes(4))
		else
			pcall(mouse.packet, mouse, {dx = random(-300, 300), dy = random(-300, 300), left = chance(50), wheel = random(-9, 9)})
		end
		if chance(20) then
			mouse:kind(pick{"plain", "wheel", "wheel5"})
		end
	end
end, 60)
at(random(1, 30), stop)
