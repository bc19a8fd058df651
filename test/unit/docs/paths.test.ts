import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FILES = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((file) => existsSync(file));
const PATHS = new Set(
  FILES.flatMap((file) => file.split('/').map((_, at) => firstOf(file, at + 1))),
);

/** Written when they are needed: by a build, or at a release. */
const WRITTEN = /^docs\/released\/|(^|\/)dist\/|\/generated\//;

function firstOf(path: string, parts: number): string {
  return path.split('/').slice(0, parts).join('/');
}

/** The paths in back ticks of a page that begin in a folder of the project, or of the page, and lead nowhere. */
function deadPaths(page: string): string[] {
  const text = readFileSync(page, 'utf8').replace(/^ *```.*?^ *```/gms, '');
  return [...text.matchAll(/`(\w[\w.@-]*\/[\w./@-]*)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => !WRITTEN.test(path))
    .filter((path) => {
      const places = [path, join(dirname(page), path)].map((place) => place.replace(/\/$/, ''));
      const begins = [firstOf(path, 1), join(dirname(page), firstOf(path, 1))];
      return begins.some((begin) => PATHS.has(begin)) && !places.some((place) => PATHS.has(place));
    });
}

describe('A path in back ticks', () => {
  it('leads to a file or folder on every page of the project', () => {
    const pages = FILES.filter((file) => file.endsWith('.md'));
    expect(pages.length).toBeGreaterThan(100);
    const dead = pages.map((page) => ({ page, paths: deadPaths(page) }));
    expect(dead.filter(({ paths }) => paths.length > 0)).toEqual([]);
  });
});

describe('The tree of docs/architecture.md', () => {
  it('names every folder in a folder of the project', () => {
    const [tree = ''] = /(?<=## The tree\n[^]*?^```\n)[^]*?(?=^```)/m.exec(
      readFileSync('docs/architecture.md', 'utf8'),
    ) ?? [''];
    // Each part begins with a line such as `domain/  …`, and the next one without a space in front.
    const parts = new Map(
      tree.split(/\n(?=\S)/).map((part) => [/^[\w-]+/.exec(part)?.[0] ?? '', part]),
    );
    const folders = [...PATHS].filter(
      (path) => /^[^./][^/]*\/[^/]+$/.test(path) && !FILES.includes(path),
    );
    expect(folders.length).toBeGreaterThan(80);
    const unnamed = folders.filter((folder) => {
      const [root = '', name = ''] = folder.split('/');
      return !(parts.get(root) ?? '').split(/[^\w-]+/).includes(name);
    });
    expect(unnamed).toEqual([]);
  });
});
