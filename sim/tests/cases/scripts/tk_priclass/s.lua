process{pid = 20, args = "cruncher", run = function(p)
	p:sleep(0.1)
	p:compute(0.5)
	p:sleep(1)
end}
at(1, function() trace.stop() end)
