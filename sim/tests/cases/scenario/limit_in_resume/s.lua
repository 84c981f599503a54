process{run = function(p)
	while true do
		local co = coroutine.create(function() while true do end end)
		coroutine.close(co, coroutine.resume(co))
	end
end}
