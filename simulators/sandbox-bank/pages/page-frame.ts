import { html, type Html } from '../../http/html.js';

export const STYLE_SHEET_PATH = '/assets/bank.css';

/** A whole page of OAuth Bank. */
export function pageFrame({ title, body }: { title: string; body: Html }): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – OAuth Bank</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${STYLE_SHEET_PATH}">
</head>
<body>
<header class="masthead"><p class="brand"><span class="seal" aria-hidden="true">OB</span> OAuth Bank</p><p class="since">A sandbox bank for testing</p></header>
<main>${body}</main>
<footer><p>OAuth Bank is part of the sandbox. It holds no money and has no phone line.</p></footer>
</body>
</html>
`.text;
}
