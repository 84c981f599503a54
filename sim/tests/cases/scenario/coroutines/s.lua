-- System calls inside a coroutine of a process; one process cannot step another's.
process{args = "p", run = function(p)
	local a, b = p:pipe()
	local reader = coroutine.wrap(function()
		while true do
			coroutine.yield(p:read(a))
		end
	end)
	p:write(b, "one")
	expect(reader(), "one")
	p:thread(function() p:sleep(0.5) p:write(b, "two") end)
	expect(reader(), "two")
	expect(now(), 0.5)
	p.thread_ = coroutine.running()
	local q = process{args = "q", run = function()
		expect({coroutine.resume(p.thread_)}, {false, "cannot resume non-suspended coroutine"})
		check(not pcall(coroutine.close, p.thread_))
	end}
	p:sleep(1)
end}
