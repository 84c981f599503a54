process{args = "p", run = function(p)
	p:sleep(0.1)
	local t = nil
	t.x = 1
end}
