process{args = "p", run = function(p)
	p:open("/dev/foo", "O_RDONLY")
end}
