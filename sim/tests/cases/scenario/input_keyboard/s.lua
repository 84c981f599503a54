console.attach()
local events = {}
process{args = "X", run = function(p)
	p:sleep(0.5)
	expect(console.attached(), true)
	local kbd = p:open("/dev/kbd")
	p:ioctl(kbd, "KIOCTRANS", 3)
	p:ioctl(kbd, "KIOCSDIRECT", 1)
	while #events < 14 do
		local data = p:read(kbd, 160)
		for i = 1, #data, 16 do
			local id, _, _, value = string.unpack("<I2BBi4", data, i)
			events[#events + 1] = (value == 1 and "+" or "-") .. (keyboard:char(id) or id)
		end
	end
	expect(events, {"+225", "+a", "-a", "-225", "+224", "+c", "-c", "-224", "+58", "-58", "+1", "-1", "+\r", "-\r"})
	expect({keyboard:char(4), keyboard:char(4, {shift = true}), keyboard:char(6, {ctrl = true})}, {"a", "A", "\3"})
end}
at(1, function() expect(string.format("%.2f", keyboard:type("A\3", {interval = 0.2, hold = 0.1})), "1.30") end)
at(2, function() keyboard:tap("F1") end)
at(3, function() keyboard:press("1") end)
at(3.1, function() keyboard:release("1") keyboard:bytes("\x1c\x9c") end)
