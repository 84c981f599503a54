process{args = "q", run = function(p)
	p:sleep(1)
	exit(7)
end}
