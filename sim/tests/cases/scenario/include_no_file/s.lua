for _, name in ipairs{"folder", "pipe", "link.lua", "../x.lua", "/etc/passwd", ""} do
	local ok, why = pcall(include, name)
	check(not ok and why:find("there is no such file in the scenario's folder", 1, true), why)
end
