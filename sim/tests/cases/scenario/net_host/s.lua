-- Routes, addresses, entries of ARP; the host reaches a station behind a gateway.
local h = host{addr = "10.0.0.1", mask = "255.255.255.0", mac = "02:00:00:00:00:01"}
h:address{addr = "10.0.1.1"}
h:route{gateway = "10.0.0.254"}
local gate = h:neighbour{addr = "10.0.0.254", mac = "02:00:00:00:00:fe"}
local far = station{addr = "192.168.7.7", via = gate}
local arps, got = 0, nil
wire:on(function(f)
	local p = frame.parse(f)
	if p.arp and p.arp.target_ip == "10.0.0.254" then arps = arps + 1 end
	if p.udp then expect(p.eth.dst, "02:00:00:00:00:fe") end
end)
far:on_udp(9, function(datagram, ip)
	got = datagram.payload
	far:udp{dst = ip.src, sport = 9, dport = datagram.sport, payload = "back"}
end)
process{args = "p", run = function(p)
	local s = p:socket("AF_INET", "SOCK_DGRAM")
	p:sendto(s, "there", "192.168.7.7:9")
	expect(p:recv(s), "back")
	expect({got, arps}, {"there", 0})
end}
