local h = host{addr = "10.0.0.1"}
local s = station{addr = "10.0.0.2", mac = "02:00:00:00:00:22"}
local mute = station{addr = "10.0.0.3", ping = false, arp = false}
local answers = {}
wire:on(function(f) local p = frame.parse(f) if p.arp and p.arp.op == 2 then answers[#answers + 1] = p.arp.target_ip end end)
at(1, function() s:ask("10.0.0.1") end)
process{args = "p", run = function(p)
	p:sleep(2)
	expect(answers, {"10.0.0.2"})
	local u = p:socket("AF_INET", "SOCK_DGRAM")
	p:sendto(u, "x", "10.0.0.3:9") -- nobody tells its Ethernet address
	p:sleep(1)
	station{addr = "10.0.0.2"}
end}
