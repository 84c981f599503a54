process{args = "p", run = function(p)
	local ok, why = pcall(p.open, p, "/dev/nothing")
	expect({ok, why}, {false, "s.lua:2: open /dev/nothing: ENOENT"})
	ok, why = pcall(function() p:read(17) end)
	expect({ok, why}, {false, "s.lua:4: read 17: EBADF"})
end}
