import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const COMPRESSIBLE = new Set(['.html', '.js', '.css', '.json', '.svg']);
const COMPRESS = {
  br: (content) =>
    promisify(brotliCompress)(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
    }),
  gz: (content) => promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
};

/**
 * Compresses the built files of a page once, into compressed/TAG.br and .gz: TAG is the SHA-256 of the content, as in the
 * entity tags of the API, which therefore never serves the compressed file of another build.
 * @param {string} folder
 */
export async function compressPages(folder) {
  const target = join(folder, 'compressed');
  await mkdir(target, { recursive: true });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && COMPRESSIBLE.has(extname(entry.name)));
  await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const content = await readFile(join(parentPath, name));
      const tag = createHash('sha256').update(content).digest('base64url');
      for (const [ending, compress] of Object.entries(COMPRESS))
        await writeFile(join(target, `${tag}.${ending}`), await compress(content));
    }),
  );
}
