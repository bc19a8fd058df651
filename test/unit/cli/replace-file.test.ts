import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFileStore } from '../../../clients/cli/src/file-store.js';
import { ProfileFile } from '../../../clients/cli/src/profiles/profile-file.js';
import { replaceFile } from '../../../clients/cli/src/replace-file.js';

let folder: string;
let file: string;
let foreign: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'replace-file-'));
  file = join(folder, 'profiles.json');
  foreign = join(folder, 'foreign');
  writeFileSync(foreign, 'kept');
});
afterEach(() => rmSync(folder, { recursive: true }));

const text = (path: string) => readFileSync(path, 'utf8');

describe('A file that is replaced', () => {
  it('is readable by its owner only, and leaves nothing beside it', async () => {
    writeFileSync(file, 'old', { mode: 0o644 });
    await replaceFile(file, 'new');
    expect(text(file)).toBe('new');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).sort()).toEqual(['foreign', 'profiles.json']);
  });

  it('is replaced itself when it is a symbolic link, and the file that the link leads to stays', async () => {
    symlinkSync(foreign, file);
    await replaceFile(file, 'new');
    expect([text(file), text(foreign)]).toEqual(['new', 'kept']);
  });

  it.each([
    ['a file', (path: string) => writeFileSync(path, 'kept')],
    ['a symbolic link', (path: string) => symlinkSync(foreign, path)],
    ['a symbolic link to nothing', (path: string) => symlinkSync(join(folder, 'none'), path)],
  ])('is not written where the name beside it is %s', async (_, plant) => {
    plant(`${file}.taken`);
    const before = readdirSync(folder);
    await expect(replaceFile(file, 'new', 'taken')).rejects.toMatchObject({ code: 'EEXIST' });
    expect(readdirSync(folder)).toEqual(before);
    expect(text(foreign)).toBe('kept');
  });

  it('leaves nothing beside a folder of its name', async () => {
    await expect(replaceFile(folder, 'new', 'taken')).rejects.toThrow();
    expect(() => statSync(`${folder}.taken`)).toThrow('ENOENT');
  });
});

it.each([
  [
    'A copy of a link',
    async () => {
      const store = await openFileStore(file, 'mk_1');
      const position = { cursor: 'c', restarting: false };
      await store.commit('mk_1', { upserted: [], removed: [], position, replacement: null });
    },
  ],
  [
    'The profiles',
    () => new ProfileFile({ TRIBUTARY_CONFIG_DIR: folder }).write({ current: null, byName: {} }),
  ],
])('%s and its secrets follow no link at a name that others can guess', async (_, write) => {
  symlinkSync(foreign, `${file}.${process.pid}`);
  await write();
  expect(text(foreign)).toBe('kept');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
