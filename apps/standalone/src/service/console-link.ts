import { randomBytes } from 'node:crypto';
import { openDatabase } from '../../../../prisma/base/database/database.js';
import { ConsoleCodeRepository } from '../../../../prisma/operations/console/console-code.repository.js';
import type { StandaloneDescription } from './description.js';

/** A link that signs one browser in to the console, once, within ten minutes; null = there is no console. */
export async function makeConsoleLink({
  console_url: consoleUrl,
  database_url: url,
}: Pick<StandaloneDescription, 'console_url' | 'database_url'>): Promise<string | null> {
  if (consoleUrl === null) return null;
  const database = openDatabase({
    url,
    name: 'tributary-standalone',
    maxConnections: 1,
    onError: () => undefined,
  });
  try {
    const codes = new ConsoleCodeRepository({
      database,
      clock: () => new Date(),
      random: (length) => randomBytes(length),
    });
    const code = await codes.create({
      role: 'operator',
      appId: null,
      isReadOnly: false,
      label: 'npm start',
    });
    return `${consoleUrl.replace(/\/$/, '')}/sign-in#code=${code}`;
  } finally {
    await database.close();
  }
}
