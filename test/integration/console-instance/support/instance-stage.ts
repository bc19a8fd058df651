import type { z } from 'zod';
import type { Person } from '../../../../apps/console-server/src/access/person.js';
import type { Operation } from '../../../../apps/console-server/src/operations/operation.js';
import { recordWork } from '../../../../apps/operator/src/recorded-command.js';
import { openService, type Service } from '../../../../apps/operator/src/service.js';
import { storage, storageOfFile } from '../../../support/fixtures/stored-link.js';

export const OPERATOR: Person = {
  actor: 'link:ann',
  role: 'operator',
  appId: null,
  isReadOnly: false,
};
export const OWNER: Person = {
  actor: 'link:ben',
  role: 'app',
  appId: 'pocket-ledger',
  isReadOnly: false,
};
/** The app and environment of the rows that tests store. */
export const APP = { app: 'pocket-ledger', env: 'sandbox' };

/** The service behind the console, of the file whose tests run, and its environment; set before its first test. */
export let service: Service;
export let env: Record<string, string>;
/** Everything that operations answered. */
export let answered: string[];

/** Opens a database and the service on it before the first test of a file. */
export function instanceOfFile(): void {
  storageOfFile();
  beforeAll(() => {
    answered = [];
    env = {
      DATABASE_URL: storage.url,
      MASTER_KEYS: `test:${storage.masterKey.toString('base64')}`,
    };
    service = openService(env);
  });
  afterAll(() => service?.close());
}

/** Runs an operation as the listener does, with its record, but without its access check. */
export async function ask<Schema extends z.ZodType, Answer>(
  operation: Operation<Schema, Answer>,
  given: unknown,
  {
    person = OPERATOR,
    now = new Date(),
    at = service,
  }: { person?: Person; now?: Date; at?: Service } = {},
): Promise<Answer> {
  const input = operation.input.parse(given);
  let answer: Answer | undefined;
  const work = async (): Promise<void> => {
    answer = await operation.run({ service: at, person, now: () => now }, input);
  };
  const recorded = operation.recorded?.(input);
  if (recorded === undefined) await work();
  else await recordWork(at, { actor: person.actor, ...recorded }, { shell: {}, work });
  answered.push(JSON.stringify(answer));
  return answer as Answer;
}

/** The record of operators, oldest first, without times. */
export const recorded = () =>
  storage.ctx.database.prisma.operatorAction.findMany({
    orderBy: { pk: 'asc' },
    select: { actor: true, action: true, subject: true, outcome: true },
  });

/** What the listener answers in place of an operation's result. */
export const refusal = (status: number, code: string) =>
  expect.objectContaining({ name: 'OperationRefused', status, code }) as unknown;
