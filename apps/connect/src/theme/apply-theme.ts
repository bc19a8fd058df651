import { parseAddress } from '../oauth/return-address.js';
import type { ResolvedTheme } from './resolve-theme.js';
import { CONTROL_IMAGES } from './tokens.js';

/**
 * Applies a theme through the CSSOM: the policy of the page does not allow inline styles. Source: connect
 * 10 and 12.
 */
export function createThemeSetter(root: HTMLElement) {
  let applied: string[] = [];
  const fonts = new Set<string>();
  const reported = new Set<string>();

  return (theme: ResolvedTheme, appearance: 'light' | 'dark'): void => {
    root.dataset['appearance'] = appearance;
    root.dataset['separator'] = theme.separator ?? 'inner';
    for (const property of applied) root.style.removeProperty(property);
    const properties = { ...theme.properties, ...controlImages(theme) };
    applied = Object.keys(properties);
    for (const [property, value] of Object.entries(properties))
      root.style.setProperty(property, value);
    loadFont(theme);
    for (const token of theme.unusable) reportOnce(token);
  };

  function loadFont({ fontUrl, properties }: ResolvedTheme): void {
    const family = properties['--connect-typography-font_family']
      ?.split(',')[0]
      ?.trim()
      .replace(/^["']|["']$/g, '');
    const address = parseAddress(fontUrl);
    if (address === null || family === undefined || fonts.has(address.href)) return;
    fonts.add(address.href);
    const font = new FontFace(family, `url("${address.href}")`, { display: 'swap' });
    document.fonts.add(font);
    font.load().catch(() => reportOnce('typography.font_url'));
  }

  function reportOnce(token: string): void {
    if (reported.has(token)) return;
    reported.add(token);
    console.warn(
      `Connect: the theme token "${token}" has a value that cannot be used; the built-in one stays.`,
    );
  }
}

function controlImages({ images }: ResolvedTheme): Record<string, string> {
  return Object.fromEntries(
    CONTROL_IMAGES.flatMap((token) => {
      const address = images[token];
      return address === undefined
        ? []
        : [[`--connect-images-${token}`, `url("${CSS.escape(address)}")`]];
    }),
  );
}
