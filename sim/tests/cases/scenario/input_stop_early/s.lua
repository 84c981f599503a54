-- The run ends while keyboard and mouse are being linked.
console.attach()
at(0.02, function()
	check(not console.attached())
	stop()
end)
process{run = function(p) p:sleep(1) end}
