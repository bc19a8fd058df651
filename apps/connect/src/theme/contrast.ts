export type Rgb = readonly [red: number, green: number, blue: number];

/** WCAG 2.2, 1.4.3: the ratio between two opaque colors, 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [
    number,
    number,
  ];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const readBefore = new Map<string, Rgb | null>();

/**
 * Any CSS color as numbers, read from a painted pixel: only the browser knows every notation. Null
 * = not opaque.
 */
export function readColor(color: string): Rgb | null {
  const known = readBefore.get(color);
  if (known !== undefined) return known;
  const found = paint(color);
  readBefore.set(color, found);
  return found;
}

function paint(color: string): Rgb | null {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null || !CSS.supports('color', color)) return null;
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
  return alpha === 255 ? [red, green, blue] : null;
}
