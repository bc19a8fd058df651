import type { BrowserContext } from 'playwright-core';

/**
 * Disables the blur behind Connect in the pages of this context: without a graphics card it is
 * most of the drawing work. The pictures of the screens keep it.
 */
export async function withoutBlur(context: BrowserContext): Promise<BrowserContext> {
  await context.addInitScript(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      '* { -webkit-backdrop-filter: none !important; backdrop-filter: none !important; }',
    );
    document.adoptedStyleSheets.push(sheet);
  });
  return context;
}
