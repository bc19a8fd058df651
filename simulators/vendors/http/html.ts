import { html, type Html } from '../../http/html.js';

/** A page with plain forms and without scripts. */
export const htmlDocument = (title: string, body: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; background: #fff; }
fieldset { border: 1px solid #767676; border-radius: 0.5rem; margin: 1rem 0; }
label { display: block; padding: 0.25rem 0; }
button { font: inherit; padding: 0.5rem 1rem; margin-right: 0.5rem; }
textarea { width: 100%; font: 0.9rem ui-monospace, monospace; box-sizing: border-box; }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.text;
