process{pid = 100, args = "reader", run = function(p)
	local a = p:pipe()
	p:thread(function() p:poll(a) end)
	p:read(a)
end}
