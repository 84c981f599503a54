console.attach()
local events = {}
process{args = "X", run = function(p)
	p:sleep(0.5)
	local m = p:open("/dev/mouse")
	p:ioctl(m, "VUIDSFORMAT", 1)
	while #events < 9 do
		local data = p:read(m, 160)
		for i = 1, #data, 16 do
			local id, _, _, value = string.unpack("<I2BBi4", data, i)
			if id ~= 0x7f86 then -- the number of buttons
				events[#events + 1] = string.format("%x %d", id, value)
			end
		end
	end
	expect(events, {"7f80 3", "7f81 -2", "7f80 10", "7f20 1", "7f20 0", "7f22 1", "7f22 0", "7f80 1", "7f81 1"})
end}
at(1, function() mouse:move(3, -2) end)
at(1.1, function() mouse:move(10, 0) end)
at(2, function() mouse:click(1) end)
at(3, function() mouse:button("right", true) end)
at(3.1, function() mouse:packet{dx = 1, dy = 1, right = false} end)
