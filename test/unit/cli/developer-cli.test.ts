import { readFileSync } from 'node:fs';
import { COMMANDS } from '../../../clients/cli/src/commands/all-commands.js';
import { version } from '../../../clients/cli/src/generated/version.js';
import { httpAddress, moment, several } from '../../../clients/cli/src/option-values.js';
import { printable } from '../../../clients/terminal/src/printable.js';

const FOLDER = new URL('../../../clients/cli/', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, FOLDER), 'utf8');

describe('The command line for developers', () => {
  it('names every command in its README', () => {
    const [, section = ''] = /## Commands\n([^]*?)\n## /.exec(read('README.md')) ?? [];
    const missing = COMMANDS.filter(({ name }) => {
      const words = name.split(' ');
      return !words.every((word) => section.includes(word));
    });
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  it('shows the version of its package', () => {
    expect((JSON.parse(read('package.json')) as { version: string }).version).toBe(version);
  });

  it('documents every environment variable that it reads', () => {
    const sources = [
      'src/profiles/profile-file.ts',
      'src/profiles/choose-key-pair.ts',
      '../terminal/src/colors.ts',
    ].map(read);
    const names = sources.flatMap((text) =>
      [...text.matchAll(/env\['(\w+)'\]/g)].map(([, name = '']) => name),
    );
    expect(names.length).toBeGreaterThan(4);
    expect(names.filter((name) => !read('README.md').includes(name))).toEqual([]);
  });

  it('shows no character that moves the cursor or turns the text', () => {
    expect(printable('Cafe\u001B[2J\u202Eto\r\n')).toBe('Cafe\uFFFD[2J\uFFFDto\uFFFD\uFFFD');
  });

  it('reads addresses, times and names as its help says', () => {
    expect(httpAddress('localhost:3000/hook').href).toBe('http://localhost:3000/hook');
    expect(httpAddress('https://a.example').href).toBe('https://a.example/');
    expect(moment('2026-03-02T10:15:00')).toBe('2026-03-02T10:15:00.000Z');
    expect(several('a, b', ['c'])).toEqual(['c', 'a', 'b']);
    for (const wrong of ['ftp://a', 'a b', 'http://u:p@a'])
      expect(() => httpAddress(wrong)).toThrow(/^Must /);
  });
});
