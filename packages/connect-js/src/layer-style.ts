import type { Appearance } from '../../connect-protocol/src/init.js';
import type { Theme, ThemeColor } from './theme.js';

const STYLE_ID = 'tributary-connect-style';
// The optional parts: a fade, the blur that a frame cannot lay over the surrounding page, and a
// line of progress while the app loads. Positions and sizes are set on the elements themselves, so
// a policy that refuses this sheet affects only the appearance.
const RULES = `
.tributary-connect-layer { animation: tributary-connect-appear .16s ease-out; transition: background-color .2s; -webkit-backdrop-filter: blur(4px); backdrop-filter: blur(4px); }
.tributary-connect-progress { opacity: 0; animation: tributary-connect-appear .2s .4s forwards; }
.tributary-connect-progress::after { content: ""; display: block; width: 30%; height: 100%; background: currentColor; animation: tributary-connect-travel 1.2s ease-in-out infinite; }
@keyframes tributary-connect-appear { from { opacity: 0 } to { opacity: 1 } }
@keyframes tributary-connect-travel { from { transform: translateX(-100%) } to { transform: translateX(340%) } }
@media (prefers-reduced-motion: reduce) { .tributary-connect-layer { animation: none; transition: none } .tributary-connect-progress::after { width: 100%; animation: none } }
@media print { .tributary-connect-layer { display: none } }
`;

export function addStyle(nonce: string | undefined): void {
  if (document.getElementById(STYLE_ID) !== null) return;
  const style = document.createElement('style');
  style.id = STYLE_ID;
  if (nonce !== undefined) style.setAttribute('nonce', nonce);
  style.textContent = RULES;
  document.head.append(style);
}

// connect-look 2: 45 % of the text color of the built-in theme
const OVERLAY: ThemeColor = { light: 'rgba(20, 24, 31, .45)', dark: 'rgba(0, 0, 0, .6)' };

/**
 * Used for the backdrop until the hosted app paints its own, which includes the session's theme.
 */
export function overlayColor(theme: Theme | undefined, appearance: Appearance): string {
  const color = theme?.colors?.overlay ?? OVERLAY;
  return typeof color === 'string' ? color : color[isDark(appearance) ? 'dark' : 'light'];
}

export const isDark = (appearance: Appearance): boolean =>
  appearance === 'dark' ||
  (appearance === 'system' &&
    typeof matchMedia === 'function' &&
    matchMedia('(prefers-color-scheme: dark)').matches);
