import { existsSync, readFileSync } from 'node:fs';

/** The version in package.json: of the sources, or of the folder in which `dist` lies. */
export function buildVersion(): string {
  for (const up of ['../../../../', '../../../../../']) {
    const file = new URL(`${up}package.json`, import.meta.url);
    if (existsSync(file))
      return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  }
  return 'unknown';
}
