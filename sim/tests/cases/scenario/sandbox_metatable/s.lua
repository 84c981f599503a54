local p = process{args = "p", run = function() end}
expect(getmetatable(p), "process")
local ok = pcall(setmetatable, p, {})
expect(ok, false)
