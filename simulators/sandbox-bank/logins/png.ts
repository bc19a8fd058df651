import { crc32, deflateSync } from 'node:zlib';

/** A grayscale image, one byte per pixel, row by row: 0 is black. */
export interface Bitmap {
  width: number;
  height: number;
  pixels: Uint8Array;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const EIGHT_BITS_GRAY = [8, 0, 0, 0, 0];

/** Writes a bitmap as PNG. Source: PNG specification (W3C), sections 5 and 7. */
export function encodePng({ width, height, pixels }: Bitmap): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set(EIGHT_BITS_GRAY, 8);

  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1) {
    // the first byte of a row names its filter: 0 = none
    rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  }
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body) >>> 0, framed.length - 4);
  return framed;
}
