import { createHash } from 'node:crypto';

/** The look of HTML pages: no script, no external resources, light and dark mode. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 64rem; padding: 1.5rem 1.25rem 4rem; font: 1rem/1.55 system-ui, sans-serif; background: Canvas; color: CanvasText; overflow-wrap: anywhere; }
h1, h2, h3 { line-height: 1.2; margin: 2.5rem 0 .75rem; }
code, pre { font: .875rem/1.5 ui-monospace, monospace; }
pre { overflow-x: auto; padding: .75rem 1rem; background: color-mix(in srgb, CanvasText 6%, Canvas); border-radius: .375rem; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid color-mix(in srgb, CanvasText 15%, Canvas); }
`;

/** The policy of a page with one inline style sheet and no script. */
export function pagePolicy(style: string): string {
  const hash = createHash('sha256').update(style).digest('base64');
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

/**
 * The document up to the content of the body. The page's policy must contain the hash of `style`.
 */
export function pageHead(title: string, style: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${style}</style></head><body>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}
