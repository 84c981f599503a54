process{pid = 7, args = "catcher", run = function(p)
	p:signal("SIGTERM", function()
		error("cannot go on")
	end)
	p:pause()
end}
process{args = "sender", run = function(p) p:kill(7) end}
