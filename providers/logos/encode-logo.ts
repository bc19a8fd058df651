// cspell:ignore Vips
/** The size that Plaid's clients expect, and more than twice the largest in Connect. */
const SIDE = 152;
/** Smaller pictures are spacers, not logos. */
const MIN_SIDE = 16;
/** The largest picture that is decoded, whatever the size of its file. */
const MAX_PIXELS = 2_048 * 2_048;
/** For pictures that are made to be slow. */
const DECODE_WITHIN_S = 20;
/** The kinds of pictures that are decoded. A drawing (SVG) can name other files, so it is refused. */
const LOADERS = ['Png', 'Jpeg', 'Webp'].map((kind) => `VipsForeignLoad${kind}Buffer`);

/**
 * Encodes a picture of a source again, as a square PNG without anything but its pixels. Null = it
 * is not a usable picture.
 */
export async function encodeLogo(picture: Uint8Array): Promise<Uint8Array | null> {
  const sharp = await loadSharp();
  try {
    const image = sharp(picture, { limitInputPixels: MAX_PIXELS, failOn: 'error' });
    const { width, height } = await image.metadata();
    if (Math.min(width, height) < MIN_SIDE || width * height > MAX_PIXELS) return null;
    return await image
      .timeout({ seconds: DECODE_WITHIN_S })
      .resize(SIDE, SIDE, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } })
      .toColorspace('srgb')
      .png({ compressionLevel: 9 })
      .toBuffer();
  } catch {
    return null;
  }
}

let loaded: Promise<typeof import('sharp').default> | undefined;

/** Loaded with the first picture, since it takes memory that other work does not need. */
function loadSharp(): Promise<typeof import('sharp').default> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: LOADERS });
    // Pictures are small, and the processor has other work.
    sharp.concurrency(1);
    sharp.cache(false);
    return sharp;
  });
  return loaded;
}
