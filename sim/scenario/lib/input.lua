-- keyboard, mouse, console.
local private = ...
local fail = private.fail

keyboard, mouse, console = {}, {}, {}

function keyboard:press(name)
	private.key(name, true)
end

function keyboard:release(name)
	private.key(name, false)
end

-- tap(name[, hold]): pressed now, released hold seconds later.
function keyboard:tap(name, hold)
	private.key(name, true)
	after(hold or 0.04, function()
		private.key(name, false)
	end)
end

-- With Shift or Ctrl where the character needs it.
local function strike(char, hold)
	local key, modifier = private.char_key(char)
	if modifier then
		private.key(modifier, true)
	end
	private.key(key, true)
	after(hold, function()
		private.key(key, false)
		if modifier then
			private.key(modifier, false)
		end
	end)
end

-- type(text[, { interval =, hold = }]): a key each interval seconds (0.15), each held for hold seconds (0.04).
-- Returns when the last one will have been released.
function keyboard:type(text, how)
	how = how or {}
	local interval, hold = how.interval or 0.15, how.hold or 0.04
	if hold >= interval then
		fail("keyboard:type: a key must be held for less than the interval")
	end
	for i = 1, #text do
		local char = text:sub(i, i)
		private.char_key(char)
		after((i - 1) * interval, function()
			strike(char, hold)
		end)
	end
	return now() + math.max(#text - 1, 0) * interval + hold
end

-- The codes themselves, set 1.
function keyboard:bytes(codes)
	private.key_bytes(codes)
end

-- { caps =, num =, scroll = }
function keyboard:leds()
	local on = private.leds()
	return {scroll = on & 1 ~= 0, num = on & 2 ~= 0, caps = on & 4 ~= 0}
end

-- What a client with the US layout makes of an event of /dev/kbd: a character, or nil.
-- held: { shift =, ctrl = }, what is held down meanwhile.
function keyboard:char(station, held)
	return private.usb_char(station, held and held.shift, held and held.ctrl)
end

-- ---- the mouse ----

local bit = {left = 1, right = 2, middle = 4, fourth = 8, fifth = 16, 1, 4, 2, 8, 16}
local held = 0

local function packet(dx, dy, dz)
	if private.mouse_packet(held, dx, dy, dz) == 0 then
		fail("the mouse is not in use: no driver has enabled it (console.attach)")
	end
end

-- dx to the right, dy upwards, wheel towards the user.
function mouse:move(dx, dy, wheel)
	packet(dx, dy, wheel or 0)
end

-- button(n, down): 1 or "left", 2 or "middle", 3 or "right", 4, 5
function mouse:button(n, down)
	local mask = bit[n] or fail("mouse: no button " .. tostring(n))
	held = down and held | mask or held & ~mask
	packet(0, 0, 0)
end

-- click(n[, hold]): down now, up hold seconds (0.08) later.
function mouse:click(n, hold)
	self:button(n, true)
	after(hold or 0.08, function()
		self:button(n, false)
	end)
end

-- One packet: packet{ dx =, dy =, wheel =, left =, middle =, right =, fourth =, fifth = }; buttons not named stay.
function mouse:packet(p)
	for name, value in pairs(p) do
		if bit[name] then
			held = value and held | bit[name] or held & ~bit[name]
		elseif name ~= "dx" and name ~= "dy" and name ~= "wheel" then
			fail("mouse:packet: unknown field " .. tostring(name))
		end
	end
	packet(p.dx or 0, p.dy or 0, p.wheel or 0)
end

function mouse:bytes(bytes)
	private.mouse_bytes(bytes)
end

-- "plain", "wheel", "wheel5"
function mouse:kind(kind)
	private.mouse_kind(kind)
end

-- ---- the console ----

-- Link keyboard and mouse below their multiplexors, as Solaris does at boot; takes about a tenth of a second.
console.attach = private.console_attach
console.attached = private.console_attached
