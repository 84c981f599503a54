process{run = function()
	expect({1, b = "x\n"}, {1, b = "y"}, "answer")
end}
