-- Stations: other hosts on the wire, with TCP endpoints that behave as a scenario says.
local private = ...
local fail = private.fail

local stations, by_addr = {}, {}
local Station, Conn = {}, {}
Station.__index, Conn.__index = Station, Conn
peer = {}

local function seq_after(a, b)
	local d = (a - b) & 0xffffffff
	return d ~= 0 and d < 0x80000000
end

-- ---- stations ----

-- An Ethernet address made of the IP address, locally administered.
local function made_up(addr)
	return "02:00:" .. addr:gsub("(%d+)%.?", function(n)
		return string.format("%02x:", tonumber(n))
	end):sub(1, -2)
end

local dispatch
local learned -- the Ethernet address that the host's frames come from

-- station{ addr =, mac =, ping = true, arp = true, via = station, tunnel = { src =, dst =, spi = } }
function station(t)
	private.ipaddr(t.addr or fail("station: addr is missing"))
	if by_addr[t.addr] then
		fail("station: there is one with the address " .. t.addr)
	end
	local s = setmetatable({
		addr = t.addr, mac = t.mac or t.via and t.via.mac or made_up(t.addr), ping = t.ping ~= false,
		arp = t.arp ~= false and not t.via, via = t.via, tunnel = t.tunnel, esp_seq = 0, id = 0,
		listeners = {}, conns = {}, udp_handlers = {},
	}, Station)
	if #stations == 0 then
		wire:on(dispatch)
	end
	stations[#stations + 1] = s
	by_addr[s.addr] = s
	return s
end

-- Send an IP packet (or the fields of one) to the host, through the tunnel if the station is behind one.
function Station:send(packet)
	if type(packet) == "table" then
		packet.src = packet.src or self.addr
		self.id = self.id + 1
		packet.id = packet.id or self.id & 0xffff
		packet = frame.ip(packet)
	end
	local t = self.tunnel
	if t and t.spi then
		self.esp_seq = self.esp_seq + 1
		packet = frame.ip{src = t.src, dst = t.dst, proto = "esp",
			payload = frame.esp{spi = t.spi, seq = self.esp_seq, payload = packet, next = 4}}
	elseif t then
		packet = frame.ip{src = t.src, dst = t.dst, proto = "ipip", payload = packet}
	end
	return wire:send(frame.eth{dst = learned or private.given_mac or private.mac_text(private.host_mac()), src = self.mac, payload = packet})
end

-- udp{ dst =, sport =, dport =, payload = }
function Station:udp(t)
	return self:send{dst = t.dst, proto = "udp", ttl = t.ttl, payload = frame.udp{src = self.addr, dst = t.dst,
		sport = t.sport, dport = t.dport, payload = t.payload, sum = t.sum}}
end

-- on_udp(port, f): f(datagram, ip) for what the host sends to that port
function Station:on_udp(port, f)
	self.udp_handlers[port] = f
end

-- Ask the host by ARP who has an address (its own, usually).
function Station:ask(addr)
	return wire:send(frame.eth{dst = frame.broadcast, src = self.mac, type = "arp",
		payload = frame.arp{op = 1, sender_mac = self.mac, sender_ip = self.addr, target_ip = addr}})
end

local function answer_arp(arp, eth)
	local s = by_addr[arp.target_ip]
	if arp.op ~= 1 or not s or not s.arp then
		return
	end
	wire:send(frame.eth{dst = eth.src, src = s.mac, type = "arp", payload = frame.arp{op = 2, sender_mac = s.mac,
		sender_ip = s.addr, target_mac = arp.sender_mac, target_ip = arp.sender_ip}})
end

local function answer_ping(s, ip, icmp)
	if icmp.type == 8 and s.ping then
		s:send{dst = ip.src, proto = "icmp", payload = frame.icmp{type = 0, id = icmp.id, seq = icmp.seq, payload = icmp.payload}}
	elseif s.on_icmp then
		s:on_icmp(icmp, ip)
	end
end

local tcp_input

local function packet_input(p)
	if p.ipip then
		return packet_input(p.ipip)
	elseif p.esp and p.esp.next == 4 then
		return packet_input(frame.parse_ip(p.esp.payload))
	end
	local s = p.ip and by_addr[p.ip.dst]
	if not s then
		return
	end
	if p.tcp then
		tcp_input(s, p.ip, p.tcp)
	elseif p.udp and s.udp_handlers[p.udp.dport] then
		s.udp_handlers[p.udp.dport](p.udp, p.ip)
	elseif p.icmp then
		answer_ping(s, p.ip, p.icmp)
	end
end

function dispatch(data)
	local p = frame.parse(data)
	learned = p.eth.src
	if p.arp then
		answer_arp(p.arp, p.eth)
	else
		packet_input(p)
	end
end

-- neighbour{ addr =, mac =, ... }: a station whose Ethernet address the host knows without asking
function private.Host:neighbour(t)
	local s = station(t)
	self:arp{ip = s.addr, mac = s.mac}
	return s
end

-- ---- TCP ----

local defaults = {isn = 1000, window = 65535, mss = 1460, ack_delay = 0, rto = 1, tries = 5}

local function new_conn(s, t, raddr, rport, lport)
	local c = setmetatable({station = s, addr = raddr, port = rport, local_port = lport, state = "closed",
		unsent = "", unacked = "", peer_window = 0, received = 0, sent = 0}, Conn)
	for name, value in pairs(defaults) do
		c[name] = value
	end
	for name, value in pairs(t) do
		c[name] = value
	end
	c.una, c.nxt, c.rcv = c.isn, c.isn, 0
	s.conns[raddr .. ":" .. rport .. ":" .. lport] = c
	return c
end

-- One segment; every one carries what is to be acknowledged.
function Conn:segment(flags, payload, seq, mss)
	if self.ack_timer then
		cancel(self.ack_timer)
		self.ack_timer = nil
	end
	return self.station:send{dst = self.addr, proto = "tcp", payload = frame.tcp{src = self.station.addr, dst = self.addr,
		sport = self.local_port, dport = self.port, seq = seq or self.nxt, ack = self.rcv, flags = flags,
		window = self.window, payload = payload, mss = mss}}
end

function Conn:ack_now()
	self:segment("ACK")
end

-- An acknowledgement is due.
local function want_ack(c)
	if c.ack_delay == false or c.ack_timer then
		return
	end
	if c.ack_delay == 0 then
		c:ack_now()
	else
		c.ack_timer = after(c.ack_delay, function()
			c.ack_timer = nil
			c:ack_now()
		end)
	end
end

local function stop_timers(c)
	for _, name in ipairs{"ack_timer", "rto_timer"} do
		if c[name] then
			cancel(c[name])
			c[name] = nil
		end
	end
end

local function closed(c, why)
	if c.state == "closed" then
		return
	end
	c.state = "closed"
	stop_timers(c)
	c.station.conns[c.addr .. ":" .. c.port .. ":" .. c.local_port] = nil
	if c.on_close then
		c:on_close(why)
	end
end

local arm

-- Send again what is not acknowledged: the first segment of it.
function Conn:retransmit()
	self.retransmits = (self.retransmits or 0) + 1
	if self.retransmits > self.tries then
		self:segment("RST|ACK")
		return closed(self, "timeout")
	end
	if self.state == "syn_sent" then
		self:segment("SYN", nil, self.isn, self.mss)
	elseif self.state == "syn_received" then
		self:segment("SYN|ACK", nil, self.isn, self.mss)
	elseif #self.unacked > 0 then
		self:segment("PSH|ACK", self.unacked:sub(1, self.mss), self.una)
	elseif self.fin_sent then
		self:segment("FIN|ACK", nil, self.una)
	end
	arm(self)
end

-- The timer of retransmission runs while something is unacknowledged.
function arm(c)
	if c.rto_timer then
		cancel(c.rto_timer)
		c.rto_timer = nil
	end
	if c.state ~= "closed" and c.una ~= c.nxt and c.rto then
		c.rto_timer = after(c.rto * 2 ^ (c.retransmits or 0), function()
			c.rto_timer = nil
			c:retransmit()
		end)
	end
end

-- What the window of the host has room for.
local function output(c)
	while #c.unsent > 0 and c.state == "open" do
		local n = math.min(#c.unsent, c.mss, c.peer_window - #c.unacked)
		if n <= 0 then
			break
		end
		local data = c.unsent:sub(1, n)
		c.unsent = c.unsent:sub(n + 1)
		c:segment(#c.unsent == 0 and "PSH|ACK" or "ACK", data)
		c.unacked = c.unacked .. data
		c.nxt = (c.nxt + n) & 0xffffffff
		c.sent = c.sent + n
	end
	if c.closing and not c.fin_sent and #c.unsent == 0 and c.state == "open" then
		c.fin_sent = true
		c:segment("FIN|ACK")
		c.nxt = (c.nxt + 1) & 0xffffffff
	end
	arm(c)
end

function Conn:send(data)
	if self.state == "closed" or self.closing then
		fail("peer: the connection is closed")
	end
	self.unsent = self.unsent .. data
	output(self)
end

function Conn:close()
	if not self.closing and self.state ~= "closed" then
		self.closing = true
		output(self)
	end
end

function Conn:reset()
	self:segment("RST|ACK")
	closed(self, "reset")
end

local function opened(c)
	c.state = "open"
	c.retransmits = 0
	if c.on_open then
		c:on_open()
	end
	output(c)
end

local function ack_input(c, t)
	if not t.flags.ACK then
		return
	end
	c.peer_window = t.window
	if seq_after(t.ack, c.una) and not seq_after(t.ack, c.nxt) then
		local n = (t.ack - c.una) & 0xffffffff
		c.unacked = c.unacked:sub(n + 1)
		c.una = t.ack
		c.retransmits = 0
		if c.on_ack then
			c:on_ack(n)
		end
	end
end

local function data_input(c, t)
	local data = t.payload
	if #data == 0 then
		return true
	end
	local skip = (c.rcv - t.seq) & 0xffffffff
	if skip >= #data then
		c:ack_now() -- seen before, or ahead of a gap
		return false
	end
	data = data:sub(skip + 1)
	c.rcv = (c.rcv + #data) & 0xffffffff
	c.received = c.received + #data
	local before = c.nxt
	if c.on_data then
		c:on_data(data)
	end
	if c.nxt == before and c.state ~= "closed" then
		want_ack(c)
	end
	return true
end

local function fin_input(c, t)
	if not t.flags.FIN or c.got_fin or (t.seq + #t.payload) & 0xffffffff ~= c.rcv then
		return
	end
	c.got_fin = true
	c.rcv = (c.rcv + 1) & 0xffffffff
	c:ack_now()
	if c.on_fin then
		c:on_fin()
	else
		c:close()
	end
end

local function open_input(c, t)
	ack_input(c, t)
	if data_input(c, t) then
		fin_input(c, t)
	end
	if c.state ~= "closed" then
		output(c)
		if c.got_fin and c.fin_sent and c.una == c.nxt then
			closed(c, "closed")
		end
	end
end

local function conn_input(c, t)
	if t.flags.RST then
		return closed(c, "reset")
	elseif c.state == "syn_sent" then
		if t.flags.SYN and t.flags.ACK and t.ack == c.nxt then
			c.rcv = (t.seq + 1) & 0xffffffff
			ack_input(c, t)
			c:ack_now()
			opened(c)
		end
	elseif c.state == "syn_received" then
		if t.flags.SYN then
			c:segment("SYN|ACK", nil, c.isn, c.mss)
		elseif t.flags.ACK and t.ack == c.nxt then
			ack_input(c, t)
			opened(c)
			open_input(c, t)
		end
	else
		open_input(c, t)
	end
end

local function accept(s, ip, t, options)
	local c = new_conn(s, options, ip.src, t.sport, t.dport)
	c.rcv = (t.seq + 1) & 0xffffffff
	c.peer_window = t.window
	c.state = "syn_received"
	c:segment("SYN|ACK", nil, c.isn, c.mss)
	c.nxt = (c.isn + 1) & 0xffffffff
	arm(c)
end

function tcp_input(s, ip, t)
	local c = s.conns[ip.src .. ":" .. t.sport .. ":" .. t.dport]
	if c then
		return conn_input(c, t)
	end
	if t.flags.SYN and not t.flags.ACK and s.listeners[t.dport] then
		return accept(s, ip, t, s.listeners[t.dport])
	end
	if not t.flags.RST and s.refuse ~= false then
		s:send{dst = ip.src, proto = "tcp", payload = frame.tcp{src = s.addr, dst = ip.src, sport = t.dport, dport = t.sport,
			seq = t.ack, ack = (t.seq + #t.payload + (t.flags.SYN and 1 or 0)) & 0xffffffff, flags = "RST|ACK"}}
	end
end

-- listen(port, { on_open =, on_data =, on_fin =, on_close =, on_ack =, ack_delay =, window =, mss =, isn = })
function Station:listen(port, options)
	self.listeners[port] = options or {}
end

-- connect{ addr =, port =, from =, ... as in listen }: a connection to the host
function Station:connect(t)
	self.next_port = (self.next_port or 40000) + 1
	local c = new_conn(self, t, t.addr or fail("connect: addr is missing"), t.port or fail("connect: port is missing"),
		t.from or self.next_port)
	c.state = "syn_sent"
	c:segment("SYN", nil, c.isn, c.mss)
	c.nxt = (c.isn + 1) & 0xffffffff
	arm(c)
	return c
end

-- peer.tcp{ addr =, mac =, listen = port | connect = { addr =, port = }, ... }: a station with one endpoint
function peer.tcp(t)
	local s = by_addr[t.addr] or station{addr = t.addr, mac = t.mac, via = t.via, tunnel = t.tunnel}
	local options = {}
	for name, value in pairs(t) do
		if name ~= "addr" and name ~= "mac" and name ~= "listen" and name ~= "connect" and name ~= "via" and name ~= "tunnel" then
			options[name] = value
		end
	end
	if t.listen then
		s:listen(t.listen, options)
		return s
	end
	local to = t.connect or fail("peer.tcp: listen = port, or connect = { addr =, port = }")
	options.addr, options.port, options.from = to.addr, to.port, to.from
	return s:connect(options)
end
