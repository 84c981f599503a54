process{run = function(p)
	p:open(
end}
