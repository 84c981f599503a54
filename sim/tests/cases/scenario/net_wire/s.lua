-- What the host answers; what is not for it; what is no frame.
local seen = {}
host{addr = "10.0.0.1", mac = "02:00:00:00:00:01"}
wire:on(function(f) seen[#seen + 1] = frame.parse(f) end)
local function to(mac, payload, type)
	return wire:send(frame.eth{dst = mac, src = "02:00:00:00:00:09", type = type, payload = payload})
end
at(1, function()
	seen = {} -- the host announced its address
	expect({to("02:00:00:00:00:77", ("x"):rep(50))}, {false, "filtered"})
	check(to(frame.broadcast, frame.arp{sender_mac = "02:00:00:00:00:09", sender_ip = "10.0.0.9", target_ip = "10.0.0.1"}, "arp"))
end)
at(2, function()
	expect(#seen, 1)
	expect(seen[1].arp, {op = 2, sender_mac = "02:00:00:00:00:01", sender_ip = "10.0.0.1", target_mac = "02:00:00:00:00:09", target_ip = "10.0.0.9"})
	seen = {}
	check(to("02:00:00:00:00:01", frame.ip{src = "10.0.0.9", dst = "10.0.0.1", proto = "icmp", payload = frame.icmp{type = 8, id = 5, seq = 6, payload = "ping"}}))
end)
at(3, function()
	expect(#seen, 1)
	expect({seen[1].icmp.type, seen[1].icmp.id, seen[1].icmp.seq, seen[1].icmp.payload, seen[1].ip.dst}, {0, 5, 6, "ping", "10.0.0.9"})
	wire:send("short")
end)
