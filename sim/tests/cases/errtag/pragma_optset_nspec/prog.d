#pragma D option nspec=many
BEGIN { }
