#pragma D attributes Stable/Stable/Common provider p nosuch
provider p { probe a(); };
