process{pid = 77, args = "/usr/bin/cat file one", uid = 5, run = function(p)
	p.try:open("/dev/nothing")
end}
