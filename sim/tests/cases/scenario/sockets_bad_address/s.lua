process{args = "p", run = function(p)
	local s = p:socket()
	p:connect(s, "10.0.0.1")
end}
