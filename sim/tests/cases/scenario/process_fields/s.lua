-- Numbers, names and owners of processes; the order in which they run is that of the text.
local order = {}
local a = process{pid = 42, args = {"/usr/bin/vi", "notes"}, uid = 100, gid = 10, run = function(p) order[1] = p.pid end}
local b = process{args = "second", run = function(p) order[2] = p.name end}
expect({a.pid, a.name, b.pid, b.name, a:alive()}, {42, "vi", 1000, "second", true})
a.note = {1, 2}
expect(a.note, {1, 2})
expect(a.nothing, nil)
expect(tostring(a), "process 42 (vi)")
at(1, function()
	expect(order, {42, "second"})
	expect({a:alive(), b:alive()}, {false, false})
	local ok, why = pcall(a.thread, a, function() end)
	expect({ok, why}, {false, "s.lua:13: process 42 has ended"})
end)
