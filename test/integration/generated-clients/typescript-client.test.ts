import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DOCUMENT, NUMBERED, OPERATIONS } from './document.js';

/** The code of an app that uses the client: it tells the kinds of a step apart, and errors from results. */
const APP = `
import {
  connectGetSession,
  linksGet,
  type ConnectStep,
  type LinkState,
  type SandboxCreateLinkResult,
} from './client';

export function questionOf(step: ConnectStep): string {
  switch (step.kind) {
    case 'form':
      return step.fields.map(({ label }) => label).join(', ');
    case 'otp':
      return step.target ?? step.channel;
    case 'error':
      return step.displayed_message;
    default:
      return step.id;
  }
}

export async function stateOf(id: string): Promise<LinkState | undefined> {
  const { data, error } = await linksGet({ path: { id } });
  if (error !== undefined) throw new Error(error.error_code);
  return data?.state;
}

export const createdBy = (made: SandboxCreateLinkResult): string =>
  made.result === 'link' ? made.link.state : made.exchangeable_token;

export const next = (seq: number) => connectGetSession({ query: { after_seq: seq, wait: 20 } });
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tributary-client-'));
  execFileSync(process.execPath, [
    'node_modules/@hey-api/openapi-ts/bin/run.js',
    ...['--input', DOCUMENT, '--output', join(folder, 'client'), '--silent', '--no-log-file'],
  ]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const generated = (name: string): string => readFileSync(join(folder, 'client', name), 'utf8');
const namesIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name = '']) => name);

describe('The client that @hey-api/openapi-ts generates', () => {
  it('has a function for every operation', () => {
    const functions = namesIn(generated('sdk.gen.ts'), /^export const (\w+) = </gm);
    expect(functions.sort()).toEqual([...OPERATIONS].sort());
  });

  it('has no numbered type', () => {
    const types = namesIn(generated('types.gen.ts'), /^export type (\w+) =/gm);
    expect(types.length).toBeGreaterThan(300);
    expect(types.filter((name) => NUMBERED.test(name))).toEqual([]);
  });

  it('compiles with strict TypeScript, in an app that tells steps and errors apart', () => {
    writeFileSync(join(folder, 'app.ts'), APP);
    const options = {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable'],
      module: 'esnext',
      moduleResolution: 'bundler',
      types: [],
    };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, include: ['**/*.ts'] }),
    );
    const { stdout } = spawnSync(
      process.execPath,
      ['node_modules/typescript-7/bin/tsc', '--project', folder],
      { encoding: 'utf8' },
    );
    expect(stdout).toBe('');
  });
});
