-- Hundreds that are killed inside a system call: what they held goes.
for i = 1, 400 do
	local p = process{args = "sleeper", run = function(p)
		local big = ("x"):rep(20000) .. i
		p:pause()
		log("not reached", #big)
	end}
end
process{args = "killer", run = function(p)
	p:sleep(1)
	for pid = 1000, 1399 do
		p:kill(pid, "SIGKILL")
	end
	p:sleep(1)
	for i = 1, 400 do
		process{args = "next", run = function(q) q.text = ("y"):rep(100000) .. i; q:sleep(0.01) end}
		p:sleep(0.02)
	end
end}
