import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, posix } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';
import { notFound } from '../access/console-failure.js';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};
const NONCE_BYTES = 16;
const NONCE_TAG = '<meta name="style-nonce" content="" />';
const compress = promisify(brotliCompress);

interface Asset {
  type: string;
  content: Buffer;
  caching: string;
  /** Made at the first request. */
  compressed: Promise<Buffer> | null;
}

/**
 * The built page and its files.
 * @param folder the build folder
 * @param connectOrigin the origin of the Connect app, which the page may show in a frame
 */
export function pageFiles(folder: string, connectOrigin: string): RequestHandler {
  const page = readIfThere(join(folder, 'index.html'));
  const files = new Map([
    // Their names change with their content.
    ...readAssets(folder, 'assets', 'public, max-age=31536000, immutable'),
    ...readAssets(folder, '', 'public, max-age=3600'),
  ]);
  return (request: Request, response: Response): void => {
    if (request.method !== 'GET') throw notFound();
    const file = files.get(request.path);
    if (file === undefined && request.path.startsWith('/assets/')) throw notFound();
    if (file === undefined) return sendPage(page, connectOrigin, response);
    void sendAsset(file, request, response);
  };
}

function sendPage(page: string | null, connectOrigin: string, response: Response): void {
  response.setHeader('cache-control', 'no-store');
  if (page === null) {
    response
      .status(503)
      .type('text/plain')
      .send('The page of the console is not built: npm run build\n');
    return;
  }
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  response.setHeader('content-security-policy', pagePolicy(nonce, connectOrigin));
  response
    .type('text/html; charset=utf-8')
    .send(page.replace(NONCE_TAG, `<meta name="style-nonce" content="${nonce}" />`));
}

/** Nothing but the page's own files and calls, and Connect in a frame. */
function pagePolicy(nonce: string, connectOrigin: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "connect-src 'self'",
    `frame-src ${connectOrigin}`,
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

async function sendAsset(asset: Asset, request: Request, response: Response): Promise<void> {
  const { type, content, caching } = asset;
  response.setHeader('cache-control', caching);
  response.setHeader('vary', 'accept-encoding');
  response.setHeader('content-type', type);
  if (request.acceptsEncodings('br') !== 'br') {
    response.end(content);
    return;
  }
  asset.compressed ??= compress(content);
  response.setHeader('content-encoding', 'br');
  response.end(await asset.compressed);
}

/** The files of one folder of the build, by their addresses. */
function readAssets(build: string, folder: string, caching: string): ReadonlyMap<string, Asset> {
  const path = join(build, folder);
  const names = existsSync(path) ? readdirSync(path) : [];
  return new Map(
    names.flatMap((name): [string, Asset][] => {
      const type = TYPES[extname(name)];
      if (type === undefined) return [];
      const content = readFileSync(join(path, name));
      return [[posix.join('/', folder, name), { type, content, caching, compressed: null }]];
    }),
  );
}

function readIfThere(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}
