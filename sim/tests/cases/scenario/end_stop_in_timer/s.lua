process{args = "q", run = function(p) p:pause() end}
after(2, function()
	stop()
	log("not reached")
end)
