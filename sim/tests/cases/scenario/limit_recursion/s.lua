process{run = function()
	local function f(s) return (s:gsub(".", f)) end
	f("a")
end}
