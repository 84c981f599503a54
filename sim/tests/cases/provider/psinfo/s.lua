process{pid = 40, args = "/usr/bin/parent", uid = 3, run = function(p)
	process{pid = 41, args = "/opt/bin/worker -n 7", uid = 4, gid = 9, parent = p, run = function(c)
		c:thread(function(q) q:sleep(0.2) q:getpid() end)
		c:setsid()
		c:sleep(0.1)
		c:getpid()
		c:sleep(0.3)
	end}
	p:sleep(1)
end}
