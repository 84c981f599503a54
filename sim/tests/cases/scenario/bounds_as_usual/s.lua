-- What takes the place of Lua's own functions does what they do.
expect({pcall(function(...) return ... end, 1, nil, 3)}, {true, 1, nil, 3})
local t = {}
expect({pcall(error, t)}, {false, t})
expect({xpcall(error, function(m) return m .. "!" end, "no", 0)}, {false, "no!"})
expect({xpcall(function(...) return select("#", ...) end, print, nil, nil)}, {true, 2})
local co = coroutine.create(function(a)
	local ok, b = pcall(coroutine.yield, a + 1)
	local _, c = xpcall(function() return coroutine.yield(b) end, print)
	error("at the end " .. c, 0)
end)
expect({coroutine.resume(co, 1)}, {true, 2})
expect({coroutine.resume(co, 5)}, {true, 5})
expect({coroutine.resume(co, 7)}, {false, "at the end 7"})
expect({coroutine.resume(co)}, {false, "cannot resume dead coroutine"})
local closed = 0
local closing = setmetatable({}, {__close = function() closed = closed + 1 end})
local f = coroutine.wrap(function(...)
	local x <close> = closing
	coroutine.yield(...)
	error("wrapped")
end)
expect({f(1, 2)}, {1, 2})
expect({pcall(f)}, {false, "s.lua:21: wrapped"})
expect(closed, 1)
expect(pcall(f), false)
local g = coroutine.create(function()
	local x <close> = closing
	coroutine.yield()
end)
coroutine.resume(g)
expect({coroutine.close(g)}, {true})
expect(closed, 2)
local list = {3, 1, 2}
table.sort(list)
table.insert(list, 4)
table.insert(list, 1, 0)
expect(table.remove(list), 4)
expect(table.concat(list, ","), "0,1,2,3")
expect(table.concat(list, "", 2, 3), "12")
expect(table.move(list, 2, 4, 1), {1, 2, 3, 3})
expect({("ab"):rep(3, "-"), ("x"):rep(-1), ("x"):rep(2)}, {"ab-ab-ab", "", "xx"})
-- many arguments
local many = {}
for i = 1, 1000 do many[i] = "x" end
expect(#string.format(("%s"):rep(1000), table.unpack(many)), 1000)
