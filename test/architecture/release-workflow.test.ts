import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { parse } from 'yaml';
import { checkKeptDocument, releaseNotes } from '../../deploy/release/release-notes.mjs';

interface Step {
  uses?: string;
  run?: string;
}
const { on, permissions, jobs } = parse(readFileSync('.github/workflows/release.yml', 'utf8')) as {
  on: object;
  permissions: object;
  jobs: { draft: { permissions: object; steps: Step[] } };
};
const { steps } = jobs.draft;
const commands = steps.flatMap(({ run }) => (run === undefined ? [] : [run])).join('\n');

interface Package {
  version: string;
  private?: boolean;
  scripts?: Record<string, string>;
}
/** Those of npm; the package for Swift has no version of its own. */
const folders = ['packages', 'clients']
  .flatMap((home) => readdirSync(home).map((name) => `${home}/${name}`))
  .filter((folder) => existsSync(`${folder}/package.json`));
const packageAt = (folder: string) =>
  JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as Package;

describe('The workflow that drafts a release', () => {
  it('starts with a tag only, and may write nothing but the release', () => {
    expect({ on, permissions, draft: jobs.draft.permissions }).toEqual({
      on: { push: { tags: ['v*'] } },
      permissions: { contents: 'read' },
      draft: { contents: 'write' },
    });
  });

  it('packs every package that is not private', () => {
    const open = folders.filter((folder) => packageAt(folder).private !== true);
    const packed = /^npm pack .*$/m.exec(commands)?.[0].match(/[a-z]+\/[\w-]+/g);
    expect(packed?.sort()).toEqual(open.sort());
  });

  it('builds the client for Python, and adds all that it built', () => {
    expect(commands).toContain('--wheel-dir release ./clients/python');
    for (const kind of ['tgz', 'whl', 'tar', 'json'])
      expect(commands.match(new RegExp(String.raw`\*\.${kind}\b`, 'g'))).toHaveLength(2);
  });

  it('gives every package the version of the service', () => {
    const { version } = packageAt('.');
    const others = folders.filter((folder) => packageAt(folder).version !== version);
    expect(others).toEqual([]);
    expect(readFileSync('clients/python/pyproject.toml', 'utf8')).toContain(
      `\nversion = "${version}"\n`,
    );
  });

  it('runs only npm scripts that exist, and publishes to no registry', () => {
    const { scripts = {} } = packageAt('.');
    const named = [...commands.matchAll(/npm run (?:-s )?([\w:]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
    expect(commands).not.toMatch(/npm publish|docker push|twine|--push/);
    expect(commands).toContain('--draft');
  });

  it('has shell commands without a mistake of form', () => {
    for (const { run } of steps)
      if (run !== undefined)
        expect(spawnSync('sh', ['-n'], { input: run, encoding: 'utf8' }).stderr).toBe('');
  });
});

describe('The notes of a release', () => {
  const changelog =
    '# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-12-01\n\n### Added\n- A call.\n\n## [1.1.0]\n\n- Another.\n';

  it('are the section of the version in the changelog', () => {
    expect(releaseNotes('v1.2.0', { version: '1.2.0', changelog })).toBe('### Added\n- A call.\n');
  });

  it.each([
    ['a tag of another version', 'v1.3.0', '1.2.0', 'The tag v1.3.0 is not v1.2.0'],
    ['a version without a section', 'v1.3.0', '1.3.0', 'has no section [1.3.0]'],
  ])('are refused for %s', (_, tag, version, message) => {
    expect(() => releaseNotes(tag, { version, changelog })).toThrow(message);
  });

  it('are refused without an entry', () => {
    const empty = '# Changelog\n\n## [1.2.0]\n\n## [1.1.0]\n\n- Another.\n';
    expect(() => releaseNotes('v1.2.0', { version: '1.2.0', changelog: empty })).toThrow(
      'has no entry',
    );
  });
});

describe('The OpenAPI document of a release', () => {
  it.each([
    ['is missing', null],
    ['is another document', '{ "openapi": "3.1.0" }'],
  ])('fails the release if the kept one %s', (problem, kept) => {
    expect(() => checkKeptDocument('1.2.0', { document: '{}', kept })).toThrow(
      `docs/released/openapi-1.2.0.json ${problem}: copy docs/openapi.json there`,
    );
  });

  it('is accepted as it is kept', () => {
    expect(() => checkKeptDocument('1.2.0', { document: '{}', kept: '{}' })).not.toThrow();
  });
});
