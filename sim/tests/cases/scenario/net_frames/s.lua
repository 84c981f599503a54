-- Frames and their parts; checksums worked out by hand.
expect(frame.sum("\0\1\xf2\3\xf4\xf5\xf6\xf7"), 0x220d) -- the example of RFC 1071
local ip = frame.ip{src = "192.168.0.1", dst = "192.168.0.199", proto = 17, ttl = 64, df = true, payload = ("x"):rep(95)}
expect(ip:sub(1, 20), "\x45\0\0\x73\0\0\x40\0\x40\x11\xb8\x61\xc0\xa8\0\1\xc0\xa8\0\xc7")
local whole = frame.eth{dst = "ff:ff:ff:ff:ff:ff", src = "2:0:0:0:0:9", vlan = 5, payload = frame.ip{src = "1.2.3.4", dst = "5.6.7.8",
	proto = "tcp", tos = 8, id = 7, payload = frame.tcp{src = "1.2.3.4", dst = "5.6.7.8", sport = 1025, dport = 80, seq = 2^32 // 1 | 0,
		ack = 9, flags = "SYN|ACK", mss = 1460, payload = "odd"}}}
local p = frame.parse(whole)
expect(p.eth, {dst = "ff:ff:ff:ff:ff:ff", src = "02:00:00:00:00:09", type = 0x800, vlan = 5})
expect({p.ip.src, p.ip.dst, p.ip.proto, p.ip.tos, p.ip.id, p.ip.ttl}, {"1.2.3.4", "5.6.7.8", 6, 8, 7, 64})
expect({p.tcp.sport, p.tcp.dport, p.tcp.seq, p.tcp.ack, p.tcp.flags, p.tcp.options, p.tcp.payload},
	{1025, 80, 0, 9, {SYN = true, ACK = true}, "\2\4\5\xb4", "odd"})
local u = frame.parse_ip(frame.ip{src = "1.2.3.4", dst = "5.6.7.8", proto = "udp",
	payload = frame.udp{src = "1.2.3.4", dst = "5.6.7.8", sport = 53, dport = 5353, payload = "abc"}})
expect({u.udp.sport, u.udp.dport, u.udp.payload}, {53, 5353, "abc"})
-- sum: 0102+0304+0506+0708 + 0011 + 000b + 0035+14e9+000b + 6162+6300 = e9be -> 1641
expect(u.udp.sum, ~(0x0102 + 0x0304 + 0x0506 + 0x0708 + 17 + 11 + 53 + 5353 + 11 + 0x6162 + 0x6300) & 0xffff)
local a = frame.parse(frame.eth{dst = frame.broadcast, src = "02:00:00:00:00:01", type = "arp",
	payload = frame.arp{sender_mac = "02:00:00:00:00:01", sender_ip = "10.0.0.1", target_ip = "10.0.0.2"}})
expect(a.arp, {op = 1, sender_mac = "02:00:00:00:00:01", sender_ip = "10.0.0.1", target_mac = "00:00:00:00:00:00", target_ip = "10.0.0.2"})
local e = frame.parse_ip(frame.ip{src = "1.1.1.1", dst = "2.2.2.2", proto = "esp", payload = frame.esp{spi = 256, seq = 3, payload = "12345"}})
expect(e.esp, {spi = 256, seq = 3, next = 4, payload = "12345"})
expect(#frame.esp{spi = 256, seq = 3, payload = "12345"}, 16) -- 8 + 5 + 1 of padding + 2
local i = frame.parse_ip(frame.ip{src = "1.1.1.1", dst = "2.2.2.2", proto = "icmp", payload = frame.icmp{type = 8, id = 1, seq = 2, payload = "p"}})
expect({i.icmp.type, i.icmp.code, i.icmp.id, i.icmp.seq, i.icmp.payload}, {8, 0, 1, 2, "p"})
frame.ip{src = "1.1.1.1", dst = "2.2.2", proto = 1}
