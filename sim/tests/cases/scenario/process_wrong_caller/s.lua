local a = process{pid = 1, args = "a", run = function(p) p:sleep(1) end}
process{pid = 2, args = "b", run = function(p)
	a:getpid()
end}
