-- expect(): two values are the same, tables by their contents.
local private = ...
local fail = private.fail

local function same(a, b, depth)
	if a == b then
		return true
	end
	if type(a) ~= "table" or type(b) ~= "table" or depth > 20 then
		return false
	end
	for k, v in pairs(a) do
		if not same(v, b[k], depth + 1) then
			return false
		end
	end
	for k in pairs(b) do
		if a[k] == nil then
			return false
		end
	end
	return true
end

-- A value as it could stand in a scenario.
local function show(v, depth)
	if type(v) == "string" then
		local text = string.format("%q", v):gsub("\\\n", "\\n"):gsub("[\0-\31\127-\255]", function(c)
			return string.format("\\x%02x", c:byte())
		end)
		return text
	end
	if type(v) ~= "table" then
		return tostring(v)
	end
	if depth > 3 then
		return "{...}"
	end
	local parts, n = {}, 0
	for k, e in pairs(v) do
		n = n + 1
		if math.type(k) == "integer" and k == n then
			parts[n] = show(e, depth + 1)
		elseif type(k) == "string" then
			parts[n] = k .. "=" .. show(e, depth + 1)
		else
			parts[n] = "[" .. show(k, depth + 1) .. "]=" .. show(e, depth + 1)
		end
	end
	return "{" .. table.concat(parts, ", ") .. "}"
end
private.show = show

function expect(got, wanted, what)
	if not same(got, wanted, 0) then
		fail((what and what .. ": " or "") .. "expected " .. show(wanted, 0) .. ", got " .. show(got, 0))
	end
	return got
end

-- The value as text, to be logged.
function dump(v)
	return show(v, 0)
end
