import { once } from 'node:events';
import pg from 'pg';
import { linkAccess } from '../../../activities/link-access.js';
import { createContext } from '../../../prisma/base/context.js';
import { openDatabase } from '../../../prisma/base/database/database.js';
import { SessionLocks } from '../../../prisma/base/database/session-locks.js';
import { CredentialRenewals } from '../../../prisma/sources/permissions/credential-renewals.js';
import { CredentialRepository } from '../../../prisma/sources/permissions/credential.repository.js';
import { Sealer } from '../../../prisma/base/sealing/sealer.js';
import { NO_SERVICES } from '../../support/fixtures/link-services.js';
import { rotatingProvider } from './rotating-bank.js';

// A worker that fetches the accounts of a link FETCHES times at once, after the first line of its
// input. With KILL_AT_STORE it exits when the renewed credential is about to be stored.
const { DATABASE_URL = '', MASTER_KEY = '', LINK_ID = '', BANK_URL = '' } = process.env;
const { FETCHES = '1', KILL_AT_STORE } = process.env;

if (KILL_AT_STORE !== undefined) {
  type Query = (this: pg.Client, ...args: unknown[]) => unknown;
  const query = Reflect.get(pg.Client.prototype, 'query') as Query;
  const watched: Query = function (this: pg.Client, ...args) {
    const [what] = args;
    const text = typeof what === 'string' ? what : (what as { text: string }).text;
    if (/UPDATE .*provider_credentials/.test(text)) process.kill(process.pid, 'SIGKILL');
    return query.apply(this, args);
  };
  Reflect.set(pg.Client.prototype, 'query', watched);
}

const database = openDatabase({
  url: DATABASE_URL,
  name: 'fetching-process',
  maxConnections: 3,
  onError: () => undefined,
});
const ctx = createContext(
  database,
  new Sealer([{ id: 'test', key: Buffer.from(MASTER_KEY, 'base64') }]),
);
const locks = new SessionLocks(database.pool);
const renewals = new CredentialRenewals(ctx, locks);
const credentials = new CredentialRepository(ctx);
const provider = rotatingProvider(BANK_URL);

const fetches = await Promise.all(
  Array.from({ length: Number(FETCHES) }, async () => {
    const held = await credentials.credential(LINK_ID);
    if (held === null) throw new Error('the link has no credential');
    const { provider: _, ...facts } = held;
    return () =>
      provider.fetchAccounts(
        linkAccess(
          { ...NO_SERVICES, renewals },
          provider,
          { linkId: LINK_ID, isScheduled: false, ...facts },
          new AbortController().signal,
        ),
      );
  }),
);
process.stdout.write('ready\n');
await once(process.stdin, 'data');
const outcomes = await Promise.all(
  fetches.map((run) =>
    run().then(
      () => 'fetched',
      (error: { providerCause?: string }) => error.providerCause ?? String(error),
    ),
  ),
);
process.stdout.write(`${JSON.stringify(outcomes)}\n`);
locks.close();
await database.close();
process.stdin.destroy();
