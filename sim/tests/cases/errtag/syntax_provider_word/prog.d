provider p { foo a(); };
