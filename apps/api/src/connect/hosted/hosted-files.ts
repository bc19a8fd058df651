import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { keptFile, type FindCompressed, type KeptFile } from '../../http/kept-file.js';

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

interface Kept {
  /** Version of the file on the disk; a different one means that the file was replaced. */
  version: string;
  file: Promise<KeptFile>;
}

/**
 * The built files of the hosted app. Each is read once and kept until it is replaced, so a new build is served without a restart.
 * The build has compressed them: `compressed/TAG.br` and `.gz` beside them, by the tag of the content, so that a
 * compressed file of another build is never found.
 */
export class HostedFiles {
  private readonly kept = new Map<string, Kept>();

  constructor(private readonly folder: string) {}

  get areBuilt(): boolean {
    return existsSync(join(this.folder, 'index.html'));
  }

  /** @param edit always the same function, applied once, when the page is read */
  async page(edit: (html: string) => string): Promise<KeptFile | null> {
    return this.get('index.html', (content) => Buffer.from(edit(content.toString('utf8'))));
  }

  /** The script for pages built for Plaid (plaid-compat 10.1). */
  async plaidScript(): Promise<KeptFile | null> {
    return this.get(join('plaid', 'link-initialize.js'));
  }

  async asset(name: string): Promise<KeptFile | null> {
    return NAME.test(name) ? this.get(join('assets', name)) : null;
  }

  /** Only files that exist are kept: anyone can request arbitrary names. */
  private async get(
    name: string,
    edit: (content: Buffer) => Buffer = (content) => content,
  ): Promise<KeptFile | null> {
    const path = join(this.folder, name);
    const found = await stat(path).catch(absent);
    if (found === null || !found.isFile()) return null;
    const version = [found.ino, found.size, found.mtimeMs].join('/');
    const known = this.kept.get(name);
    if (known?.version === version) return known.file;
    const file = readFile(path).then((content) =>
      keptFile(edit(content), TYPES[extname(name)] ?? 'application/octet-stream', this.compressed),
    );
    this.kept.set(name, { version, file });
    file.catch(() => this.kept.delete(name));
    return file;
  }

  private readonly compressed: FindCompressed = (tag, encoding) =>
    readFile(join(this.folder, 'compressed', `${tag}.${encoding === 'br' ? 'br' : 'gz'}`)).catch(
      absent,
    );
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
