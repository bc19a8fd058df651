import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { encodeLogo } from '../../../../providers/logos/encode-logo.js';
import { SANDBOX_LOGOS } from '../../../../providers/sandbox/data/sandbox-logos.js';

const CANARY = 'canary-of-the-source';
const picture = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 4, background: '#0a6b4f' },
    limitInputPixels: false,
  }).withExif({ IFD0: { Copyright: CANARY } });

const facts = async (logo: Uint8Array | null) => {
  const { format, width, height } = await sharp(logo ?? new Uint8Array()).metadata();
  return { format, width, height };
};

describe('A logo', () => {
  it.each(['png', 'jpeg', 'webp'] as const)(
    'that is a %s is encoded again as a square PNG, without what the file says beside its pixels',
    async (format) => {
      const source = await picture(600, 200).toFormat(format).toBuffer();
      expect(source.toString('latin1')).toContain(CANARY);
      const logo = await encodeLogo(source);
      expect(await facts(logo)).toEqual({ format: 'png', width: 152, height: 152 });
      expect(Buffer.from(logo ?? []).toString('latin1')).not.toContain(CANARY);
    },
  );

  it('is the same for the same picture, so that its address is', async () => {
    const source = await picture(90, 90).png().toBuffer();
    expect(await encodeLogo(source)).toEqual(await encodeLogo(source));
  });

  it('is refused when its pixels are far more than its bytes, before they are decoded', async () => {
    const bomb = await picture(2_048, 2_049).png({ compressionLevel: 9 }).toBuffer();
    expect(bomb.length).toBeLessThan(512 * 1024);
    expect(await encodeLogo(bomb)).toBeNull();
  });

  const svg = (inner: string) =>
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64">${inner}</svg>`);
  it.each<[string, () => Uint8Array | Promise<Uint8Array>]>([
    ['a drawing (SVG)', () => svg('<rect width="9" height="9"/>')],
    ['a drawing that names a file', () => svg('<image href="file:///etc/passwd"/>')],
    ['a GIF', () => picture(64, 64).gif().toBuffer()],
    ['a TIFF', () => picture(64, 64).tiff().toBuffer()],
    ['a spacer of one pixel', () => picture(1, 1).png().toBuffer()],
    ['a page', () => Buffer.from('<!doctype html><title>Sign in</title>')],
    ['empty', () => new Uint8Array()],
    ['cut off', async () => (await picture(300, 300).jpeg().toBuffer()).subarray(0, 400)],
  ])('is refused when it is %s', async (_, source) => {
    expect(await encodeLogo(await source())).toBeNull();
  });

  it('is encoded and refused alike by the build of the container image, which has none for the platform', async () => {
    const source = await picture(300, 120).png().toBuffer();
    const bomb = await picture(2_048, 2_049).png({ compressionLevel: 9 }).toBuffer();
    // A file, since threads of the build would inherit the options of a program in the command line.
    const program = join(mkdtempSync(join(tmpdir(), 'tributary-logo-')), 'encode.mjs');
    writeFileSync(program, WITHOUT_NATIVE + ENCODE);
    const encoded = execFileSync(process.execPath, [program], {
      env: { PATH: process.env['PATH'], SOURCES: JSON.stringify([source, bomb].map(base64)) },
      encoding: 'utf8',
      timeout: 60_000,
    });
    rmSync(dirname(program), { recursive: true });
    const [logo, refused, build] = JSON.parse(encoded) as [string, null, string];
    expect(await facts(Buffer.from(logo, 'base64'))).toEqual({
      format: 'png',
      width: 152,
      height: 152,
    });
    expect({ refused, build }).toEqual({ refused: null, build: 'wasm' });
  });
});

describe('The logos of the sandbox banks', () => {
  it.each(Object.entries(SANDBOX_LOGOS))('are squares of the served size: %s', async (_, logo) => {
    expect(await facts(Buffer.from(logo, 'base64'))).toEqual({
      format: 'png',
      width: 152,
      height: 152,
    });
  });
});

const base64 = (bytes: Buffer): string => bytes.toString('base64');

/** Makes the builds for platforms of sharp unavailable, as they are in the image. */
const WITHOUT_NATIVE = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve(name, context, next) {
      if (/^@img\\/sharp-(?!wasm32)/.test(name))
        throw Object.assign(new Error('not installed'), { code: 'MODULE_NOT_FOUND' });
      return next(name, context);
    },
  });
`;
const ENCODE = `
  const { encodeLogo } = await import('${new URL('../../../../providers/logos/encode-logo.ts', import.meta.url).href}');
  const logos = [];
  for (const source of JSON.parse(process.env.SOURCES)) {
    const logo = await encodeLogo(Buffer.from(source, 'base64'));
    logos.push(logo && Buffer.from(logo).toString('base64'));
  }
  const { default: sharp } = await import('${pathToFileURL(createRequire(import.meta.url).resolve('sharp')).href}');
  const build = Object.keys(sharp.versions).includes('emscripten') ? 'wasm' : 'native';
  console.log(JSON.stringify([...logos, build]));
`;
