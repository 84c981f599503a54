-- Functions of the library that work for as long as a number says.
expect(string.rep("", 1 << 60), "")
process{run = function(p)
	table.move({}, 1, math.maxinteger - 1, 2)
end}
