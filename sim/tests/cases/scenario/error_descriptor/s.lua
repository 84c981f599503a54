process{args = "p", run = function(p)
	expect({p.try:write(9, "x")}, {nil, "EBADF"})
	expect({p.try:close(9)}, {nil, "EBADF"})
	expect({p.try:ioctl(9, "I_POP")}, {nil, "EBADF"})
	local a = p:pipe()
	expect({p.try:push(a, "nomodule")}, {nil, "EINVAL"})
	expect({p.try:pop(a)}, {nil, "EINVAL"})
	p:ioctl(a, "I_PUSH", "nomodule")
end}
