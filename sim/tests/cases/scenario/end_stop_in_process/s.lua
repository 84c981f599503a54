process{args = "p", run = function(p)
	p:sleep(0.5)
	stop()
	log("not reached")
end}
process{args = "q", run = function(p) p:pause() end}
