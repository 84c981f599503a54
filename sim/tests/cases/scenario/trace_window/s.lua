trace.stop()
process{args = "p", run = function(p)
	for i = 1, 10 do
		p:sleep(0.1)
		p:getpid()
	end
end}
at(0.35, trace.start)
at(0.65, trace.stop)
