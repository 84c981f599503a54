local t = {b = 1, a = 2, [3] = 3, [1] = 4, [2.5] = 5, [true] = 6, [-1] = 7, ab = 8}
local keys = {}
for k in pairs(t) do keys[#keys + 1] = k end
expect(keys, {-1, 1, 2.5, 3, "a", "ab", "b", true})
expect(next({}), nil)
expect({next(t)}, {-1, 7})
expect({next(t, 3)}, {"a", 2})
expect(next(t, true), nil)
for k in pairs(t) do t[k] = nil end -- may be emptied on the way
expect(next(t), nil)
local proxy = setmetatable({}, {__pairs = function() return function(_, k) return not k and "only" or nil end, nil, nil end})
for k in pairs(proxy) do expect(k, "only") end
pairs({[{}] = 1})
