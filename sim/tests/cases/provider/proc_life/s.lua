-- A process that starts another, signals it three times, and ends by itself; the other dies of the third.
process{pid = 10, args = "/usr/bin/boss -v", uid = 5, run = function(p)
	process{pid = 11, args = "/usr/bin/hand one two", parent = p, uid = 5, run = function(c)
		c:signal("SIGUSR1", function() end)
		c:signal("SIGUSR2", "ignore")
		c:pause()
		c:pause()
	end}
	p:sleep(1)
	p:kill(11, "SIGUSR1")
	p:sleep(1)
	p:kill(11, "SIGUSR2")
	p:sleep(1)
	p:kill(11, "SIGTERM")
	p:sleep(1)
end}
