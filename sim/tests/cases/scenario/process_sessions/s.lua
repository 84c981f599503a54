process{pid = 20, args = "leader", run = function(p)
	expect({p:getpid(), p:getsid(), p:getpgrp(), p:getpgid(20)}, {20, 20, 20, 20})
	expect(p:setsid(), 20) -- it leads one already
	expect(p:setpgrp(), 20)
	process{pid = 21, args = "child", parent = p, run = function(c)
		expect(c:getsid(), 20)
		expect(c:setsid(), 21)
		expect({c:getsid(), c:getpgrp()}, {21, 21})
		expect({c.try:setsid()}, {nil, "EPERM"})
		expect({c.try:setpgid(0, -1)}, {nil, "EINVAL"})
	end}
	process{pid = 22, args = "child", parent = p, run = function(c)
		expect(c:setpgrp(), 22)
		expect(c:getsid(22), 22)
		expect({c.try:getsid(999)}, {nil, "ESRCH"})
	end}
end}
