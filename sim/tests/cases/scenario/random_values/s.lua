local count, sum = {}, 0
for i = 1, 6000 do
	local d = random(6)
	count[d] = (count[d] or 0) + 1
	sum = sum + random()
end
for d = 1, 6 do
	check(count[d] > 850 and count[d] < 1150)
end
expect(count[0], nil)
expect(count[7], nil)
check(sum > 2800 and sum < 3200)
expect(math.random(3, 3), 3)
for i = 1, 100 do
	local v = random(-2, 2)
	check(v >= -2 and v <= 2)
end
expect(math.type(random(math.mininteger, math.maxinteger)), "integer")
random(2, 1)
