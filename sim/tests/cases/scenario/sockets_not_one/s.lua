process{args = "p", run = function(p)
	local s = p:socket()
	p:listen(99)
end}
