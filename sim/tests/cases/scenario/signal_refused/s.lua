process{pid = 7, args = "target", run = function(p) p:sleep(2) end}
process{pid = 8, args = "stranger", uid = 100, run = function(p)
	expect({p.try:kill(7, "SIGTERM")}, {nil, "EPERM"})
	expect({p.try:signal("SIGKILL", "ignore")}, {nil, "EINVAL"})
	p:signal("SIGTERM", "sometimes")
end}
