import { readFileSync } from 'node:fs';

/** The content of the file that a variable names. */
export function fileIn(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  const path = env[name];
  return path === undefined ? undefined : readFileSync(path, 'utf8');
}
