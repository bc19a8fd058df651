import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const NOT_OURS = /(^|\/)(node_modules|dist|\.[^/]+)(\/|$)/;

const pagesBelow = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (NOT_OURS.test(path)) return [];
    if (entry.isDirectory()) return pagesBelow(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });

/** The links of a page to missing files of the project. */
function brokenLinks(page: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8').replace(/^```.*?^```/gms, '');
  return [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/i.test(target))
    .filter((target) => !existsSync(join(ROOT, dirname(page), target)));
}

describe('Pages of the project', () => {
  it('link only to files that exist', () => {
    const broken = pagesBelow('.')
      .map((page) => ({ page, links: brokenLinks(page) }))
      .filter(({ links }) => links.length > 0);
    expect(broken).toEqual([]);
  });
});
