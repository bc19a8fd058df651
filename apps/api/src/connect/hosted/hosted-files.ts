import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

export interface HostedFile {
  type: string;
  content: Buffer;
  /** Strong entity tag of the content. */
  tag: string;
  compressed(encoding: Encoding): Promise<Buffer>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};
/** A single path segment that cannot leave the folder, within the length limits of file systems. */
const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/;
const COMPRESS = {
  br: (content: Buffer) =>
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }),
  gzip: (content: Buffer) => promisify(gzip)(content, { level: 9 }),
};

/**
 * The built files of the hosted app. Assets are read and compressed once, because their names
 * contain a content hash.
 */
export class HostedFiles {
  private readonly assets = new Map<string, Promise<HostedFile | null>>();

  constructor(private readonly folder: string) {}

  get areBuilt(): boolean {
    return existsSync(join(this.folder, 'index.html'));
  }

  /** Read on every request, so a new build is served without a restart. */
  async page(): Promise<string | null> {
    return readFile(join(this.folder, 'index.html'), 'utf8').catch(absent);
  }

  /**
   * The script for pages built for Plaid (plaid-compat 10.1). Read on every request, like the page.
   */
  async plaidScript(): Promise<HostedFile | null> {
    return this.read('plaid', 'link-initialize.js');
  }

  async asset(name: string): Promise<HostedFile | null> {
    if (!NAME.test(name)) return null;
    const known = this.assets.get(name) ?? this.read('assets', name);
    this.assets.set(name, known);
    const file = await known.catch((error: unknown) => {
      this.assets.delete(name);
      throw error;
    });
    // Missing files are not cached: they may be built later, and anyone can request arbitrary
    // names.
    if (file === null) this.assets.delete(name);
    return file;
  }

  private async read(folder: string, name: string): Promise<HostedFile | null> {
    const content = await readFile(join(this.folder, folder, name)).catch(absent);
    return content === null
      ? null
      : hostedFile(content, TYPES[extname(name)] ?? 'application/octet-stream');
  }
}

export function hostedFile(content: Buffer, type: string): HostedFile {
  const done = new Map<Encoding, Promise<Buffer>>();
  return {
    type,
    content,
    tag: `"${createHash('sha256').update(content).digest('base64url')}"`,
    compressed: (encoding) => {
      const compressed = done.get(encoding) ?? COMPRESS[encoding](content);
      done.set(encoding, compressed);
      return compressed;
    },
  };
}

function absent(error: unknown): null {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return null;
  throw error;
}

/** The output folder of `npm run build`, whether this code runs from source or from dist. */
export function builtConnectFolder(from: string = import.meta.dirname): string {
  if (existsSync(join(from, 'package.json'))) return join(from, 'dist', 'apps', 'connect');
  const parent = dirname(from);
  if (parent === from) throw new Error('this code is outside its project folder');
  return builtConnectFolder(parent);
}
