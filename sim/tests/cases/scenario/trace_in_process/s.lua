process{args = "p", run = function(p)
	p:getpid()
	trace.stop()
	p:getpid()
	p:getpid()
	trace.start()
	p:getpid()
end}
