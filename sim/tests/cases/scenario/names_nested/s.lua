local flags = {"O_RDWR"}
flags[2] = flags
process{run = function(p)
	p:open("/dev/ptmx", flags)
end}
