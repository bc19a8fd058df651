import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';

/** The samples of a page in docs: one program of its `js` blocks, and what its `text` blocks say it prints. */
export interface DocumentProgram {
  code: string;
  prints: string;
}

const DOCS = new URL('../../docs/', import.meta.url);
const FENCE = /^```(\w+)\n([^]*?)^```$/gm;

export function documentProgram(page: string): DocumentProgram {
  const text = readFileSync(new URL(page, DOCS), 'utf8');
  const blocks = [...text.matchAll(FENCE)].map(([, language = '', content = '']) => ({
    language,
    content,
  }));
  const of = (wanted: string) =>
    blocks
      .filter(({ language }) => language === wanted)
      .map(({ content }) => content)
      .join('');
  return { code: of('js'), prints: of('text') };
}

/** The pages that have samples in JavaScript. */
export function pagesWithPrograms(): string[] {
  return readdirSync(DOCS)
    .filter((name) => name.endsWith('.md') && documentProgram(name).code !== '')
    .sort();
}

/** Runs a program as a reader would, in a process of its own. Answers what it printed; throws when it failed. */
export async function runProgram(
  code: string,
  env: Record<string, string>,
  withinMs = 60_000,
): Promise<string> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, ['--input-type=module', '-'], {
    env: { PATH, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: withinMs,
  });
  let printed = '';
  let complained = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString('utf8');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    complained += chunk.toString('utf8');
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  child.stdin.end(code);
  const status = await ended;
  if (status !== 0) throw new Error(`the program ended with ${status}:\n${printed}\n${complained}`);
  return printed;
}
