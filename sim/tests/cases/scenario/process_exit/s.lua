process{pid = 30, args = "leaver", run = function(p)
	p:thread(function() p:pause() end)
	p:sleep(0.1)
	p:exit(3)
	log("not reached")
end}
