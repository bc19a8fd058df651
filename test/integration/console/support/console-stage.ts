import type { z } from 'zod';
import type { Person } from '../../../../apps/console-server/src/access/person.js';
import type { Operation } from '../../../../apps/console-server/src/operations/operation.js';
import { openService, type Service } from '../../../../apps/operator/src/service.js';
import { storage, storageOfFile } from '../../../support/fixtures/stored-link.js';

export const OPERATOR: Person = {
  actor: 'link:ann',
  role: 'operator',
  appId: null,
  isReadOnly: false,
};
export const READER: Person = {
  actor: 'link:ben',
  role: 'app',
  appId: 'pocket-ledger',
  isReadOnly: false,
};
/** The app and environment of the rows that tests store. */
export const APP = { app: 'pocket-ledger', env: 'sandbox' };

/** The service behind the console, of the file whose tests run; set before its first test. */
export let service: Service;

/** Opens a database and the service on it before the first test of a file. */
export function serviceOfFile(): void {
  storageOfFile();
  beforeAll(() => {
    service = openService({
      DATABASE_URL: storage.url,
      MASTER_KEYS: `test:${storage.masterKey.toString('base64')}`,
      BASE_URL: 'https://api.example',
    });
  });
  afterAll(() => service?.close());
}

/** Runs an operation as the listener does, without its access check and record. */
export async function ask<Schema extends z.ZodType, Answer>(
  operation: Operation<Schema, Answer>,
  input: unknown,
  { person = OPERATOR, now = new Date() }: { person?: Person; now?: Date } = {},
): Promise<Answer> {
  return operation.run({ service, person, now: () => now }, operation.input.parse(input));
}
