import pg from 'pg';
import { createContext } from '../../../prisma/base/context.js';
import { openDatabase } from '../../../prisma/base/database/database.js';
import { Sealer } from '../../../prisma/base/sealing/sealer.js';
import { ReceivedWebhooks } from './received-webhooks.js';

// A worker that reads and applies a webhook, and kills itself before its KILL_AT-th write or
// commit.
const { DATABASE_URL = '', MASTER_KEY = '', WEBHOOK_ID = '', KILL_AT = '' } = process.env;

type Query = (this: pg.Client, ...args: unknown[]) => unknown;
const query = Reflect.get(pg.Client.prototype, 'query') as Query;
let writes = 0;
const watched: Query = function (this: pg.Client, ...args) {
  const [what] = args;
  const text = typeof what === 'string' ? what : (what as { text: string }).text;
  if (/^\s*(INSERT|UPDATE|DELETE|COMMIT)/i.test(text)) {
    writes += 1;
    if (writes === Number(KILL_AT)) process.kill(process.pid, 'SIGKILL');
  }
  return query.apply(this, args);
};
Reflect.set(pg.Client.prototype, 'query', watched);

const database = openDatabase({
  url: DATABASE_URL,
  name: 'killed-reader',
  maxConnections: 2,
  onError: () => undefined,
});
const received = new ReceivedWebhooks(
  createContext(database, new Sealer([{ id: 'test', key: Buffer.from(MASTER_KEY, 'base64') }])),
);
await received.read(WEBHOOK_ID);
await received.apply(WEBHOOK_ID);
await database.close();
