for i = 1, 10 do
	process{args = "p" .. i, run = function(p)
		local t = {}
		for k = 1, 20 do
			t["key" .. random(1000)] = k
		end
		for k, v in pairs(t) do
			p:sleep(random() / 10)
			log(p.pid, k, v, now(), {}, print)
		end
	end}
end
