process{run = function()
	local s = ("x"):rep(1 << 30)
end}
