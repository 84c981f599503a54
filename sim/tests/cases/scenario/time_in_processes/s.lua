-- nanosleep(2) goes by ticks of 10 ms; computing takes exactly what it takes.
process{args = "p", run = function(p)
	p:compute(0.0000015)
	expect(string.format("%.9f", now()), "0.000001500")
	p:sleep(0.001)
	expect(now(), 0.01)
	p:sleep(0.01)
	expect(now(), 0.02)
	p:sleep(0.011)
	expect(now(), 0.04)
	expect(p:poll({}, 25), 0)
	expect(now(), 0.07)
end}
