at(0.5, function()
	check(1 == 2, "arithmetic")
end)
