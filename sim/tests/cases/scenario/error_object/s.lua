process{run = function()
	error({})
end}
after(1, print)
