-- Terminal settings by name, on top of TCGETS and TCSETS: tcgetattr, tcsetattr, stty, winsize.
local private = ...
local fail, methods = private.fail, private.methods

local flags, order, chars = {}, {}, {}
for _, f in ipairs(private.ttyflags) do
	flags[f.name] = f
	order[#order + 1] = f
	if f.word == "c_cc" then
		chars[#chars + 1] = f
	end
end

local words = {iflag = "c_iflag", oflag = "c_oflag", cflag = "c_cflag", lflag = "c_lflag"}

-- The flags of one word that are set.
local function set_of(word, value)
	local set = {}
	for _, f in ipairs(order) do
		if f.word == word and f.name ~= "XTABS" and value & f.mask == f.value then
			set[f.name] = true
		end
	end
	return set
end

function methods.tcgetattr(p, fd)
	local t, err = p:ioctl(fd, "TCGETS")
	if not t then
		return nil, err
	end
	local attr = {cc = {}}
	for name, word in pairs(words) do
		attr[name] = set_of(word, t[word])
	end
	for _, f in ipairs(chars) do
		attr.cc[f.name] = t.c_cc[f.mask + 1]
	end
	return attr
end

-- The code of a control character: a number, a character, "^X", "^?", or "undef".
local function code(v)
	if math.type(v) == "integer" and v >= 0 and v <= 255 then
		return v
	end
	if v == "undef" or v == "" then
		return 0
	end
	if type(v) == "string" and #v == 1 then
		return v:byte()
	end
	if v == "^?" then
		return 127
	end
	local c = type(v) == "string" and v:match("^%^([@-_a-z])$")
	if not c then
		fail("no character: " .. tostring(v))
	end
	return c:upper():byte() & 31
end

-- Names of flags: a table whose keys are names, or a string.
local function names(v)
	local set = {}
	if type(v) == "string" then
		for name in v:gmatch("[^%s,|]+") do
			set[name] = true
		end
		return set
	end
	if type(v) ~= "table" then
		fail("flags must be a table or a string")
	end
	for name, on in pairs(v) do
		set[name] = on
	end
	return set
end

local function flag(name)
	local f = flags[name]
	if not f then
		fail("no terminal setting " .. tostring(name))
	end
	return f
end

local function set_flag(t, name, on)
	local f = flag(name)
	if f.word == "c_cc" then
		t.c_cc[f.mask + 1] = code(on)
	elseif on then
		t[f.word] = t[f.word] & ~f.mask | f.value
	elseif t[f.word] & f.mask == f.value then
		t[f.word] = t[f.word] & ~f.mask
	end
end

-- A whole word: exactly these.
local function set_word(t, word, value)
	local all = 0
	for _, f in ipairs(order) do
		if f.word == word then
			all = all | f.mask
		end
	end
	t[word] = t[word] & ~all
	for name, on in pairs(names(value)) do
		if flag(name).word ~= word then
			fail(name .. " does not belong to " .. word)
		end
		if on then
			set_flag(t, name, true)
		end
	end
end

local when = {now = "TCSETS", drain = "TCSETSW", flush = "TCSETSF"}

-- tcsetattr(fd, { ICANON = false, VMIN = 1, iflag = "ICRNL IXON", cc = { VERASE = "^H" } }[, "now" | "drain" | "flush"])
function methods.tcsetattr(p, fd, attr, how)
	local command = when[how or "now"] or fail("tcsetattr: \"now\", \"drain\" or \"flush\"")
	local t, err = p:ioctl(fd, "TCGETS")
	if not t then
		return nil, err
	end
	for name, value in pairs(attr) do
		if words[name] then
			set_word(t, words[name], value)
		end
	end
	for name, value in pairs(attr.cc or {}) do
		set_flag(t, name, value)
	end
	for name, value in pairs(attr) do
		if not words[name] and name ~= "cc" then
			set_flag(t, name, value)
		end
	end
	return p:ioctl(fd, command, t)
end

function methods.winsize(p, fd, size)
	local w, err = p.try:ioctl(fd, "TIOCGWINSZ")
	if not w and err ~= "EINVAL" then
		return p:ioctl(fd, "TIOCGWINSZ") -- which fails in the caller's way
	end
	w = w or {ws_row = 0, ws_col = 0, ws_xpixel = 0, ws_ypixel = 0} -- ptem says EINVAL while nobody has set a size
	if not size then
		return {rows = w.ws_row, cols = w.ws_col, xpixel = w.ws_xpixel, ypixel = w.ws_ypixel}
	end
	for name in pairs(size) do
		if not ({rows = 1, cols = 1, xpixel = 1, ypixel = 1})[name] then
			fail("winsize: rows, cols, xpixel, ypixel, not " .. tostring(name))
		end
	end
	return p:ioctl(fd, "TIOCSWINSZ", {
		ws_row = size.rows or w.ws_row, ws_col = size.cols or w.ws_col,
		ws_xpixel = size.xpixel or w.ws_xpixel, ws_ypixel = size.ypixel or w.ws_ypixel,
	})
end

-- ---- stty(1) ----

local combined = {
	raw = "cs8 -icanon -isig -xcase -inpck -opost min 1 time 0",
	["-raw"] = "icanon isig opost eof ^D eol undef",
	cooked = "icanon isig opost eof ^D eol undef",
	cbreak = "-icanon min 1 time 0",
	["-cbreak"] = "icanon eof ^D eol undef",
	nl = "-icrnl -onlcr",
	["-nl"] = "icrnl onlcr -inlcr -igncr -ocrnl -onlret",
	lcase = "xcase iuclc olcuc",
	["-lcase"] = "-xcase -iuclc -olcuc",
	tabs = "-tab3",
	["-tabs"] = "tab3",
	evenp = "parenb cs7 -parodd",
	["-evenp"] = "-parenb cs8",
	oddp = "parenb cs7 parodd",
	["-oddp"] = "-parenb cs8",
	ek = "erase ^? kill ^U",
	sane = "cs8 cread -parenb brkint -inpck -istrip icrnl -ignbrk -ignpar -parmrk -inlcr -igncr -iuclc ixon -ixany " ..
		"-ixoff imaxbel isig icanon iexten -xcase echo echoe echok echoctl echoke -echonl -noflsh -tostop -echoprt " ..
		"opost onlcr -olcuc -ocrnl -onocr -onlret -ofill -ofdel intr ^C quit ^\\ erase ^? kill ^U eof ^D eol undef " ..
		"eol2 undef start ^Q stop ^S susp ^Z dsusp ^Y rprnt ^R flush ^O werase ^W lnext ^V",
}

local characters = {
	intr = "VINTR", quit = "VQUIT", erase = "VERASE", kill = "VKILL", eof = "VEOF", eol = "VEOL", eol2 = "VEOL2",
	swtch = "VSWTCH", start = "VSTART", stop = "VSTOP", susp = "VSUSP", dsusp = "VDSUSP", rprnt = "VREPRINT",
	reprint = "VREPRINT", flush = "VDISCARD", discard = "VDISCARD", werase = "VWERASE", lnext = "VLNEXT",
}

-- What the words say, as a list of { name, value } in their order, and the size of the window.
local function parse(text, settings, size)
	local next_word = text:gmatch("%S+")
	for word in next_word do
		local name = word:gsub("^-", ""):upper()
		local function argument()
			return next_word() or fail("stty: " .. word .. " needs a value")
		end
		if combined[word] then
			parse(combined[word], settings, size)
		elseif characters[word] then
			settings[#settings + 1] = {characters[word], argument()}
		elseif word == "min" or word == "time" then
			local n = math.tointeger(tonumber(argument())) or fail("stty: " .. word .. " needs a number")
			settings[#settings + 1] = {word == "min" and "VMIN" or "VTIME", n}
		elseif word == "rows" or word == "columns" or word == "cols" then
			size[word == "rows" and "rows" or "cols"] = math.tointeger(tonumber(argument())) or
				fail("stty: " .. word .. " needs a number")
		elseif word:match("^%d+$") and flags["B" .. word] then
			settings[#settings + 1] = {"B" .. word, true}
		elseif flags[name] and flags[name].word ~= "c_cc" then
			settings[#settings + 1] = {name, word:sub(1, 1) ~= "-"}
		else
			fail("stty: no mode " .. word)
		end
	end
end

-- stty(fd, "raw -echo erase ^H rows 24"): as stty(1), which sets when output is drained.
function methods.stty(p, fd, text)
	local settings, size = {}, {}
	parse(text, settings, size)
	if #settings > 0 then
		local t, err = p:ioctl(fd, "TCGETS")
		if not t then
			return nil, err
		end
		for _, s in ipairs(settings) do
			set_flag(t, s[1], s[2])
		end
		local ok, why = p:ioctl(fd, "TCSETSW", t)
		if not ok then
			return nil, why
		end
	end
	if next(size) then
		return p:winsize(fd, size)
	end
	return 0
end
