expect(arg[0], "s.lua")
expect({arg[1], arg[2], arg[3]}, {"one", "two words", nil})
expect(#arg, 2)
