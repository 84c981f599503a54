process{args = "p", run = function(p)
	p:getpid()
	p:getpid()
	p.try:open("/dev/nothing")
	error("enough")
end}
