const NEUTRAL = '#4a5568';
const HEX_COLOR = /^#[0-9a-f]{6}$/i;

/**
 * A neutral image for an institution without a logo: its initials on its color. Source: native-api
 * 4.1, `institution_avatar`.
 */
export function monogram({ name, color }: { name: string; color: string | null }): string {
  const background = color !== null && HEX_COLOR.test(color) ? color : NEUTRAL;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="128" height="128" viewBox="0 0 128 128" role="img" aria-label="${escapeXml(name)}">` +
    `<rect width="128" height="128" rx="24" fill="${background}"/>` +
    `<text x="64" y="66" fill="${readableOn(background)}" font-family="system-ui, sans-serif" font-size="52" font-weight="600" text-anchor="middle" dominant-baseline="central">` +
    `${escapeXml(initials(name))}</text></svg>`
  );
}

/** The service's copy of a logo, in the same frame. */
export function framedLogo({ name }: { name: string }, png: Buffer): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="128" height="128" viewBox="0 0 128 128" role="img" aria-label="${escapeXml(name)}">` +
    `<image width="128" height="128" href="data:image/png;base64,${png.toString('base64')}"/></svg>`
  );
}

function initials(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return words
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase();
}

/** Black or white, whichever has more contrast (WCAG relative luminance). */
function readableOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff';
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeXml(text: string): string {
  return text
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
}
