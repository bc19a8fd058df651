import { html, type Html } from './html.js';
import type { Reply } from './reply.js';

export interface PageParts {
  title: string;
  /** Its style. */
  head: Html;
  body: Html;
}

/** A whole page. The pages of the simulated banks need no scripts. */
export const pageFrame = ({ title, head, body }: PageParts): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${head}
</head>
<body>
${body}
</body>
</html>
`.text;

export const pageReply = (
  text: string,
  headers: Readonly<Record<string, string>>,
  status = 200,
): Reply => ({ status, text, contentType: 'text/html; charset=utf-8', headers });
