// Loaded with `nomodule`, so only browsers without ES modules run it. It is a separate file because some of
// them don't support CSP nonces for inline scripts either.
location.replace('/too-old.html');
