for _, name in ipairs{"io", "os", "package", "debug", "require", "dofile", "loadfile", "collectgarbage", "warn"} do
	expect(_G[name], nil, name)
end
expect(string.dump, nil)
expect(math.randomseed, nil)
check(string.format and table.concat and utf8.char and coroutine.wrap and math.floor)
