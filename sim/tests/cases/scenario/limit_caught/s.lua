-- No protected call keeps a scenario from being ended.
process{run = function(p)
	while true do
		pcall(function() while true do end end)
	end
end}
