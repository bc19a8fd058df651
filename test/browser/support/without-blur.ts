import type { BrowserContext } from 'playwright-core';

/**
 * What lies behind Connect is not blurred in the pages of this context: where no graphics card does it, that is most of
 * the work of drawing. Pictures of the screens have it.
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
