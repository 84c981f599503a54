expect(load("return 1 + 1")(), 2)
local env = {x = 5}
expect(load("y = x return y", "chunk", "t", env)(), 5)
expect(env.y, 5)
expect(y, nil)
local f, why = load("\27Lua", "binary", "b")
expect({f, why}, {nil, "attempt to load a binary chunk (mode is 't')"})
f, why = load("return (", "piece")
expect({f, why}, {nil, "[piece]:1: unexpected symbol near <eof>"})
