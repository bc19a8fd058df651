import { createInterface } from 'node:readline/promises';
import { readFile } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CommandFailure } from '../../../clients/terminal/src/command-failure.js';

/** Sources of secrets besides a file. */
export interface SecretInput {
  /** Everything on standard input. */
  read(): Promise<string>;
  /** Prompts on the terminal, without echoing the input. */
  prompt(question: string): Promise<string>;
}

const PROCESS_INPUT: SecretInput = {
  read: () => text(process.stdin),
  prompt: async (question) => {
    if (!process.stdin.isTTY)
      throw new CommandFailure('`prompt` needs a terminal; give the secret as @FILE or -.');
    process.stderr.write(question);
    const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
    const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
    try {
      return await lines.question('');
    } finally {
      lines.close();
      process.stderr.write('\n');
    }
  },
};

const HOW = 'Write NAME=@FILE, NAME=- for standard input, or NAME=prompt.';

/**
 * Reads the secrets of `--secret` options. No message repeats a value: a text in the place of a
 * source may be the secret itself.
 */
export async function readSecrets(
  options: readonly string[],
  input: SecretInput = PROCESS_INPUT,
): Promise<Record<string, string>> {
  const secrets: Record<string, string> = {};
  let isInputUsed = false;
  for (const option of options) {
    const [, name, source = ''] = /^([A-Za-z][\w-]*)=(.*)$/s.exec(option) ?? [];
    if (name === undefined) throw new CommandFailure(`A --secret has no name or no source. ${HOW}`);
    if (name in secrets) throw new CommandFailure(`The secret "${name}" is given twice.`);
    if (source === '-' && isInputUsed)
      throw new CommandFailure('Standard input can hold only one secret.');
    isInputUsed ||= source === '-';
    secrets[name] = await readSecret(name, source, input);
  }
  return secrets;
}

async function readSecret(name: string, source: string, input: SecretInput): Promise<string> {
  const read = await readSource(name, source, input);
  const secret = read.replace(/\r?\n$/, '');
  if (secret === '') throw new CommandFailure(`The secret "${name}" is empty.`);
  return secret;
}

async function readSource(name: string, source: string, input: SecretInput): Promise<string> {
  if (source === '-') return input.read();
  if (source === 'prompt') return input.prompt(`${name}: `);
  if (!source.startsWith('@'))
    throw new CommandFailure(
      `The secret "${name}" cannot be given on the command line, where other users and the history of the shell keep it. ${HOW}`,
    );
  try {
    return await readFile(source.slice(1), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandFailure(
      `The file of the secret "${name}" cannot be read: ${code ?? 'unknown error'}.`,
    );
  }
}
