-- Nor does a message handler, which Lua would run out of the limit's sight.
process{run = function(p)
	xpcall(function() while true do end end, function() while true do end end)
end}
