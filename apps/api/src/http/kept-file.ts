import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { holdsTag } from './entity-tag.js';

export type Encoding = 'br' | 'gzip';

/** The bytes of a response that is the same for everyone, and its compressed forms. */
export interface KeptFile {
  type: string;
  content: Buffer;
  /** Strong entity tag of the content. */
  tag: string;
  compressed(encoding: Encoding): Promise<Buffer>;
}

/** Finds bytes that were compressed before; null = there are none. */
export type FindCompressed = (tag: string, encoding: Encoding) => Promise<Buffer | null>;

/** Compression saves less than its header costs. */
const MIN_COMPRESSED_BYTES = 1_000;
const COMPRESS = {
  br: (content: Buffer) =>
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }),
  gzip: (content: Buffer) => promisify(gzip)(content, { level: 9 }),
};

/** Compresses content that `find` does not return, once, and keeps it as long as the file. */
export function keptFile(
  content: Buffer,
  type: string,
  find: FindCompressed = () => Promise.resolve(null),
): KeptFile {
  const tag = createHash('sha256').update(content).digest('base64url');
  const done = new Map<Encoding, Promise<Buffer>>();
  const compress = async (encoding: Encoding) =>
    (await find(tag, encoding)) ?? COMPRESS[encoding](content);
  return {
    type,
    content,
    tag: `"${tag}"`,
    compressed: (encoding) => {
      const compressed = done.get(encoding) ?? compress(encoding);
      done.set(encoding, compressed);
      return compressed;
    },
  };
}

/** Responds 200 with the bytes in the encoding that the client prefers, or 304. */
export async function sendKept(
  request: Request,
  response: Response,
  file: KeptFile,
): Promise<void> {
  // A PNG is compressed already.
  const encoding =
    file.content.length < MIN_COMPRESSED_BYTES || file.type === 'image/png'
      ? null
      : acceptedEncoding(request.headers['accept-encoding']);
  response.vary('Accept-Encoding');
  response.setHeader(
    'ETag',
    encoding === null ? file.tag : file.tag.replace(/"$/, `-${encoding}"`),
  );
  if (holdsTag(request.headers['if-none-match'], String(response.getHeader('ETag')))) {
    response.status(304).end();
    return;
  }
  const body = encoding === null ? file.content : await file.compressed(encoding);
  response.setHeader('Content-Type', file.type);
  response.setHeader('Content-Length', body.length);
  if (encoding !== null) response.setHeader('Content-Encoding', encoding);
  response.status(200).end(request.method === 'HEAD' ? undefined : body);
}

/** The client's preferred encoding; a weight of 0 rules one out. */
function acceptedEncoding(header: string | undefined): Encoding | null {
  const accepted = new Set(
    (header ?? '')
      .split(',')
      .map((part) => part.trim().toLowerCase())
      .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
      .map((part) => part.split(';')[0]?.trim()),
  );
  return (['br', 'gzip'] as const).find((encoding) => accepted.has(encoding)) ?? null;
}
