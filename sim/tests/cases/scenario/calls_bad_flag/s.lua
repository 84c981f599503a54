process{run = function(p)
	p:open("/dev/ptmx", "O_RDWR|POLLIN")
end}
