local seen = {}
local function note(name) return function() seen[#seen + 1] = name .. now() end end
after(0.5, note("after "))
at(0.5, note("at "))
local e = every(0.25, note("every "))
every(0.3, note("thrice "), 3)
at(0.8, function() expect(cancel(e), true) expect(cancel(e), false) end)
at(1, function()
	expect(seen, {"every 0.25", "thrice 0.3", "after 0.5", "at 0.5", "every 0.5", "thrice 0.6", "every 0.75", "thrice 0.9"})
	after(0, function() expect(now(), 1.0) end)
end)
