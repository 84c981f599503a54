local a = process{pid = 1, args = "a", run = function(p) p:sleep(1) end}
at(0.5, function()
	a:getpid()
end)
