local t, f = {}, function() end
expect({tostring(t), tostring(f), tostring(coroutine.create(f))}, {"table", "function", "thread"})
expect(string.format("%s %s %5.1f %q", t, "x", 1.25, "q"), "table x   1.2 \"q\"")
expect(tostring(setmetatable({}, {__tostring = function() return "named" end})), "named")
local ok, why = pcall(string.format, "%p", t)
check(not ok and why:find("addresses differ"))
expect(string.format("100%% %d", 5), "100% 5")
