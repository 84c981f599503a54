local calls = {}
process{pid = 7, args = "catcher", run = function(p)
	local a, b = p:pipe()
	p:signal("SIGINT", function(q, name)
		calls[#calls + 1] = name
		q:write(b, "x")
	end)
	p:signal("SIGUSR1", function(_, name) calls[#calls + 1] = name end)
	p:signal("SIGUSR2", "ignore")
	-- a read that is interrupted says so, and the handler has run by then
	expect({p.try:read(a)}, {nil, "EINTR"})
	expect(calls, {"SIGINT"})
	expect(p:read(a), "x")
	p:pause()
	expect(calls, {"SIGINT", "SIGUSR1"})
	expect(p:sleep(5), 2.0) -- 2 of 5 s were left
	p:compute(1)
	expect(#calls, 4)
	p:signal("SIGINT", "default")
	p:pause()
	log("not reached")
end}
process{args = "sender", run = function(p)
	p:sleep(1)
	p:kill(7, "SIGINT")
	p:sleep(1)
	p:kill(7, "SIGUSR2")
	p:kill(7, "SIGUSR1")
	p:sleep(3)
	p:kill(7, "SIGUSR1")
	p:sleep(0.5)
	p:kill(7, "SIGUSR1") -- while it computes
	p:sleep(2)
	p:kill(7, "SIGINT")
	p:sleep(1)
	expect({p.try:kill(7)}, {nil, "ESRCH"})
end}
