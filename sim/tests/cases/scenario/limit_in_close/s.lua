-- Nor does a variable to be closed, of a coroutine that was stopped.
process{run = function(p)
	local forever = {__close = function() while true do end end}
	local f = coroutine.wrap(function()
		local x <close> = setmetatable({}, forever)
		while true do end
	end)
	f()
end}
