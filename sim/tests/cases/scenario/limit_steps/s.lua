process{pid = 100, args = "spinner", run = function(p)
	while true do
		p:getpid()
	end
end}
