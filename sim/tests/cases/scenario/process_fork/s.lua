-- A child gets its parent's open files under the same numbers, its group and its session.
process{pid = 10, args = "parent", run = function(p)
	local a, b = p:pipe()
	expect(p:dup(a, 5), 5)
	process{pid = 11, args = "child", parent = p, run = function(c)
		expect({c.try:read(3)}, {nil, "EBADF"})
		expect(c:close(5), 0)
		expect(c:getpgrp(), 10)
		expect(c:getsid(), 10)
		expect(c:setpgid(0, 0), 0)
		expect(c:getpgrp(), 11)
		c:write(b, "hello")
		c:close(b)
	end}
	expect(p:read(a), "hello")
	expect(p:getpgid(11), 11)
	expect({p.try:getpgid(999)}, {nil, "ESRCH"})
	expect({p.try:setpgid(0, 11)}, {nil, "EPERM"}) -- a session's leader stays in its group
end}
