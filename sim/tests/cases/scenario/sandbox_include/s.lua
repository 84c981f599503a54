local part = include("part/one.lua")
expect(part.answer, 42)
expect(from_part, "yes")
for _, name in ipairs{"../end_empty/s.lua", "/etc/passwd", "part/../../docs/sh", "part/none.lua"} do
	local ok, why = pcall(include, name)
	expect(ok, false)
	expect(why, "s.lua:5: include " .. name .. ": there is no such file in the scenario's folder")
end
include("part/bad.lua")
