import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { CommandFailure } from '../../terminal/src/command-failure.js';
import { EXIT } from './exit-codes.js';

/** The first line of standard input, without its end. */
export async function readLine(stdin: NodeJS.ReadStream): Promise<string> {
  return (await text(stdin)).split(/\r?\n/)[0]?.trim() ?? '';
}

/** The bytes of a file, or of standard input for `-`. */
export async function readBytes(file: string, stdin: NodeJS.ReadStream): Promise<Buffer> {
  try {
    if (file !== '-') return await readFile(file);
    const chunks: Buffer[] = [];
    for await (const chunk of stdin) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  } catch (error) {
    throw new CommandFailure(
      `The file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`,
      'Check its name and permissions, or pass - for standard input.',
      EXIT.usage,
    );
  }
}

/** The value in a JSON file, or of standard input for `-`. */
export async function readJson(file: string, stdin: NodeJS.ReadStream): Promise<unknown> {
  const bytes = await readBytes(file, stdin);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new CommandFailure(
      `${file === '-' ? 'Standard input' : `The file ${file}`} is not JSON.`,
      'Correct it and try again.',
    );
  }
}
