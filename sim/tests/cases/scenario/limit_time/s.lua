process{pid = 100, args = "waiter", run = function(p)
	while true do
		p:sleep(1)
	end
end}
process{pid = 101, args = "busy", run = function(p)
	p:compute(100)
end}
