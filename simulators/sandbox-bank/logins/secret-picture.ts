import { drawsFrom } from '../accounts/draws.js';
import { encodePng, type Bitmap } from './png.js';

const GLYPHS: readonly (readonly string[])[] = [
  ['#####', '....#', '...#.', '..#..', '..#..', '.#...', '.#...'],
  ['.###.', '#...#', '#...#', '#####', '#...#', '#...#', '#...#'],
  ['####.', '....#', '....#', '.###.', '....#', '....#', '####.'],
  ['#####', '#....', '#....', '####.', '#....', '#....', '#....'],
];

const SCALE = 12;
const MARGIN = 30;
const GLYPH_WIDTH = 5 * SCALE;
const GAP = 2 * SCALE;
const WIDTH = 2 * MARGIN + GLYPHS.length * GLYPH_WIDTH + (GLYPHS.length - 1) * GAP;
const HEIGHT = 2 * MARGIN + 7 * SCALE;
const PAPER = 0xf2;
const SPECKLES = 900;
const LINES = 5;

/** The image that shows 7A3F, slanted and speckled; always the same. */
export const SECRET_PICTURE: Buffer = encodePng(draw());

/** For people who cannot see it. */
export const SECRET_PICTURE_DESCRIPTION =
  'Four characters: the digit seven, the letter A, the digit three, the letter F.';

function draw(): Bitmap {
  const bitmap: Bitmap = {
    width: WIDTH,
    height: HEIGHT,
    pixels: new Uint8Array(WIDTH * HEIGHT).fill(PAPER),
  };
  const draws = drawsFrom('secret picture');
  for (let speckle = 0; speckle < SPECKLES; speckle += 1) {
    paint(
      bitmap,
      draws.integer(0, WIDTH - 1),
      draws.integer(0, HEIGHT - 1),
      draws.integer(0x90, 0xd0),
    );
  }
  for (let line = 0; line < LINES; line += 1) {
    const [from, to, shade] = [
      draws.integer(0, HEIGHT - 1),
      draws.integer(0, HEIGHT - 1),
      draws.integer(0x80, 0xb8),
    ];
    for (let x = 0; x < WIDTH; x += 1)
      paint(bitmap, x, Math.round(from + ((to - from) * x) / WIDTH), shade);
  }
  for (const [index, glyph] of GLYPHS.entries()) {
    drawGlyph(bitmap, glyph, {
      left: MARGIN + index * (GLYPH_WIDTH + GAP),
      top: MARGIN + draws.integer(-8, 8),
      slant: draws.integer(-2, 2) / 10,
    });
  }
  return bitmap;
}

function drawGlyph(
  bitmap: Bitmap,
  glyph: readonly string[],
  { left, top, slant }: { left: number; top: number; slant: number },
): void {
  for (let y = 0; y < 7 * SCALE; y += 1) {
    for (let x = 0; x < GLYPH_WIDTH; x += 1) {
      if (glyph[Math.floor(y / SCALE)]?.[Math.floor(x / SCALE)] !== '#') continue;
      paint(bitmap, Math.round(left + x + slant * y), top + y, 0x20);
    }
  }
}

function paint({ width, height, pixels }: Bitmap, x: number, y: number, shade: number): void {
  if (x >= 0 && x < width && y >= 0 && y < height) pixels[y * width + x] = shade;
}
