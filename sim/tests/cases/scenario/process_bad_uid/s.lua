-- A process that could not be made is not there.
expect(pcall(process, {uid = "x", run = print}), false)
expect(pcall(process, {gid = {}, run = print}), false)
expect(pcall(process, {pid = -1, run = print}), false)
process{run = function(p)
	expect(p.pid, 1000)
end}
