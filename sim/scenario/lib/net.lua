-- host, tunnel, replay; frames and their parts.
local private = ...
local fail, sum, ip4 = private.fail, private.sum, private.ipaddr

-- ---- the host ----

local Host = {}
Host.__index = Host
private.Host = Host

-- host{ addr =, mask =, mac =, mtu = }: the interface rtls0 with this address.
function host(t)
	private.plumb(t)
	private.given_mac = t.mac
	return setmetatable({addr = t.addr, mac = t.mac or private.mac_text(private.host_mac())}, Host)
end

function Host:address(t)
	private.addif(t)
end

-- arp{ ip =, mac = }: an Ethernet address that need not be asked for.
function Host:arp(t)
	private.arp(t)
end

-- route{ dest =, mask =, gateway = }; without dest the default route.
function Host:route(t)
	private.route(t)
end

-- tunnel{ tsrc =, tdst =, addr =, dstaddr =, esp = true, ... }; sa{ dir =, spi =, src =, dst =, ... }
tunnel, sa, replay = private.tunnel, private.sa, private.replay

-- ---- addresses ----

function private.mac_text(bytes)
	return (bytes:gsub(".", function(c)
		return string.format("%02x:", c:byte())
	end):sub(1, -2))
end

local function mac(text)
	local n = 0
	local bytes = text:gsub("(%x%x?):?", function(h)
		n = n + 1
		return string.char(tonumber(h, 16))
	end)
	if n ~= 6 or #bytes ~= 6 then
		fail("\"" .. text .. "\" is no Ethernet address")
	end
	return bytes
end

local function ip_text(bytes)
	return string.format("%d.%d.%d.%d", bytes:byte(1, 4))
end

local function checksum(data, start)
	return ~sum(data, start or 0) & 0xffff
end

-- ---- building ----

frame = {broadcast = "ff:ff:ff:ff:ff:ff", sum = checksum}

local function number(t, name, default)
	local v = t[name]
	if v == nil then
		v = default
	end
	if v == nil then
		fail(name .. " is missing")
	end
	return v
end

local types = {ip = 0x0800, arp = 0x0806}

-- eth{ dst =, src =, type = 0x0800, vlan =, payload = }
function frame.eth(t)
	local head = mac(number(t, "dst")) .. mac(number(t, "src"))
	local type = types[t.type] or t.type or 0x0800
	if t.vlan then
		head = head .. string.pack(">I2I2", 0x8100, t.vlan)
	end
	return head .. string.pack(">I2", type) .. (t.payload or "")
end

-- arp{ op = 1, sender_mac =, sender_ip =, target_mac =, target_ip = }: the packet, without Ethernet header
function frame.arp(t)
	return string.pack(">I2I2BBI2", 1, 0x0800, 6, 4, t.op or 1) .. mac(number(t, "sender_mac")) ..
		ip4(number(t, "sender_ip")) .. mac(t.target_mac or "00:00:00:00:00:00") .. ip4(number(t, "target_ip"))
end

local protocols = {icmp = 1, ipip = 4, tcp = 6, udp = 17, esp = 50}

-- ip{ src =, dst =, proto =, payload =, ttl = 64, tos = 0, id = 0, df =, mf =, offset = 0, options =, length =, sum = }
function frame.ip(t)
	local options = t.options or ""
	if #options % 4 ~= 0 then
		fail("frame.ip: options must be padded to 4 bytes")
	end
	local payload = t.payload or ""
	local hlen = 20 + #options
	local frag = (t.df and 0x4000 or 0) | (t.mf and 0x2000 or 0) | (t.offset or 0) // 8
	local proto = protocols[t.proto] or t.proto or fail("frame.ip: proto is missing")
	local head = string.pack(">BBI2I2I2BBI2", 0x40 | hlen // 4, t.tos or 0, t.length or hlen + #payload, t.id or 0, frag,
		t.ttl or 64, proto, 0) .. ip4(number(t, "src")) .. ip4(number(t, "dst")) .. options
	return head:sub(1, 10) .. string.pack(">I2", t.sum or checksum(head)) .. head:sub(13) .. payload
end

local function pseudo(t, proto, length)
	return sum(ip4(number(t, "src")) .. ip4(number(t, "dst")) .. string.pack(">I2I2", proto, length))
end

-- udp{ src =, dst =, sport =, dport =, payload =, sum = }: the datagram, without IP header
function frame.udp(t)
	local payload = t.payload or ""
	local length = 8 + #payload
	local head = string.pack(">I2I2I2", number(t, "sport"), number(t, "dport"), t.length or length)
	local check = t.sum
	if not check then
		check = checksum(head .. "\0\0" .. payload, pseudo(t, 17, length))
		check = check == 0 and 0xffff or check
	end
	return head .. string.pack(">I2", check) .. payload
end

local tcp_bits = {FIN = 1, SYN = 2, RST = 4, PSH = 8, ACK = 16, URG = 32, ECE = 64, CWR = 128}

local function tcp_flags(v)
	if math.type(v) == "integer" then
		return v
	end
	local bits = 0
	for name in (v or ""):gmatch("[^%s,|]+") do
		bits = bits | (tcp_bits[name] or fail("frame.tcp: no flag " .. name))
	end
	return bits
end

-- tcp{ src =, dst =, sport =, dport =, seq =, ack =, flags = "SYN|ACK", window = 65535, urgent =, options =, payload =, sum = }
function frame.tcp(t)
	local options, payload = t.options or "", t.payload or ""
	if t.mss then
		options = options .. string.pack(">BBI2", 2, 4, t.mss)
	end
	options = options .. ("\1"):rep(-#options % 4)
	local hlen = 20 + #options
	local head = string.pack(">I2I2I4I4BBI2", number(t, "sport"), number(t, "dport"), (t.seq or 0) & 0xffffffff,
		(t.ack or 0) & 0xffffffff, hlen // 4 << 4, tcp_flags(t.flags), t.window or 65535)
	local tail = string.pack(">I2", t.urgent or 0) .. options .. payload
	local check = t.sum or checksum(head .. "\0\0" .. tail, pseudo(t, 6, hlen + #payload))
	return head .. string.pack(">I2", check) .. tail
end

-- icmp{ type =, code = 0, id =, seq =, rest =, payload = }
function frame.icmp(t)
	local rest = t.rest or string.pack(">I2I2", t.id or 0, t.seq or 0)
	local head = string.pack(">BB", number(t, "type"), t.code or 0)
	local tail = rest .. (t.payload or "")
	return head .. string.pack(">I2", t.sum or checksum(head .. "\0\0" .. tail)) .. tail
end

-- esp{ spi =, seq =, payload =, next = 4 }: null cipher, no authentication (RFC 4303, RFC 2410)
function frame.esp(t)
	local payload = number(t, "payload")
	local padding = ""
	for i = 1, -(#payload + 2) % 4 do
		padding = padding .. string.char(i)
	end
	return string.pack(">I4I4", number(t, "spi"), number(t, "seq")) .. payload .. padding ..
		string.char(#padding, protocols[t.next] or t.next or 4)
end

-- ---- taking apart ----

local function parse_tcp(p, data)
	if #data < 20 then
		return
	end
	local t = {}
	local off, bits
	t.sport, t.dport, t.seq, t.ack, off, bits, t.window, t.sum, t.urgent = string.unpack(">I2I2I4I4BBI2I2I2", data)
	local hlen = (off >> 4) * 4
	t.flags = {}
	for name, bit in pairs(tcp_bits) do
		if bits & bit ~= 0 then
			t.flags[name] = true
		end
	end
	t.options = data:sub(21, hlen)
	t.payload = data:sub(hlen + 1)
	p.tcp = t
end

local function parse_udp(p, data)
	if #data < 8 then
		return
	end
	local t = {}
	local length
	t.sport, t.dport, length, t.sum = string.unpack(">I2I2I2I2", data)
	t.payload = data:sub(9, length)
	p.udp = t
end

local function parse_icmp(p, data)
	if #data < 8 then
		return
	end
	local t = {}
	t.type, t.code, t.sum, t.id, t.seq = string.unpack(">BBI2I2I2", data)
	t.payload = data:sub(9)
	p.icmp = t
end

local function parse_esp(p, data)
	if #data < 10 then
		return
	end
	local t = {}
	t.spi, t.seq = string.unpack(">I4I4", data)
	local pad
	pad, t.next = data:byte(-2, -1)
	t.payload = data:sub(9, -3 - pad)
	p.esp = t
end

local parsers = {[1] = parse_icmp, [6] = parse_tcp, [17] = parse_udp, [50] = parse_esp}

-- What is in an IP packet: { ip = {...}, tcp = | udp = | icmp = | esp = | ipip = {...} }
function frame.parse_ip(data)
	if #data < 20 then
		return {}
	end
	local t, p = {}, {}
	local v, length, frag
	v, t.tos, length, t.id, frag, t.ttl, t.proto, t.sum = string.unpack(">BBI2I2I2BBI2", data)
	t.src, t.dst = ip_text(data:sub(13, 16)), ip_text(data:sub(17, 20))
	t.df, t.mf, t.offset = frag & 0x4000 ~= 0, frag & 0x2000 ~= 0, (frag & 0x1fff) * 8
	local hlen = (v & 15) * 4
	t.options = data:sub(21, hlen)
	t.payload = data:sub(hlen + 1, length)
	p.ip = t
	if t.proto == 4 then
		p.ipip = frame.parse_ip(t.payload)
	elseif parsers[t.proto] and t.offset == 0 then
		parsers[t.proto](p, t.payload)
	end
	return p
end

-- The same of a frame, with eth and, of ARP, arp.
function frame.parse(data)
	local type = string.unpack(">I2", data, 13)
	local start = 15
	local vlan
	if type == 0x8100 then
		vlan, type = string.unpack(">I2I2", data, 15)
		start = 19
	end
	local p = {}
	local payload = data:sub(start)
	if type == 0x0800 then
		p = frame.parse_ip(payload)
	elseif type == 0x0806 and #payload >= 28 then
		p.arp = {op = string.unpack(">I2", payload, 7), sender_mac = private.mac_text(payload:sub(9, 14)),
			sender_ip = ip_text(payload:sub(15, 18)), target_mac = private.mac_text(payload:sub(19, 24)),
			target_ip = ip_text(payload:sub(25, 28))}
	end
	p.eth = {dst = private.mac_text(data:sub(1, 6)), src = private.mac_text(data:sub(7, 12)), type = type, vlan = vlan}
	return p
end
