import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { storeCredential } from '../../../prisma/sources/permissions/provider-credential.js';
import { storeLink, storageOfFile, storage } from '../../support/fixtures/stored-link.js';
import { ReceivedWebhooks } from './received-webhooks.js';

const PROCESS = fileURLToPath(new URL('killed-reader.ts', import.meta.url));

storageOfFile();

let received: ReceivedWebhooks;
beforeAll(async () => {
  received = new ReceivedWebhooks(storage.ctx);
  const { prisma } = storage.ctx.database;
  await prisma.providerConfiguration.create({
    data: { name: 'trial', adapter: 'trial', environment: 'sandbox', settings: {} },
  });
});

/** A new link, and a webhook that announces more of its data. */
async function webhookOfLink() {
  const link = await storeLink(storage, { provider: 'trial' });
  const reference = `permission-of-${link.linkId}`;
  await storage.ctx.database.transaction((tx) =>
    storeCredential(storage.ctx, tx, link, {
      provider: 'trial',
      reference,
      credential: Buffer.from('credential'),
    }),
  );
  const effects = [{ kind: 'refresh', reference, products: ['transactions'] }] as const;
  return { link, webhookId: await received.receive(received.source.make(effects)) };
}

/** True if it was killed before its n-th write. */
async function readingProcess(webhookId: string, killAt: number): Promise<boolean> {
  const { NODE_OPTIONS: _ofJest, ...inherited } = process.env;
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--import',
      '@swc-node/register/esm-register',
      PROCESS,
    ],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...inherited,
        DATABASE_URL: storage.url,
        MASTER_KEY: storage.masterKey.toString('base64'),
        WEBHOOK_ID: webhookId,
        KILL_AT: String(killAt),
      },
    },
  );
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (signal !== 'SIGKILL') expect(code).toBe(0);
  return signal === 'SIGKILL';
}

describe('A webhook of a source', () => {
  it('is applied once, wherever the worker is killed', async () => {
    const ends: string[] = [];
    let wasKilled = true;
    for (let killAt = 1; wasKilled; killAt += 1) {
      const { link, webhookId } = await webhookOfLink();
      wasKilled = await readingProcess(webhookId, killAt);
      ends.push((await received.row(webhookId))?.state ?? 'gone');
      await received.read(webhookId);
      await received.apply(webhookId);
      const requests = await storage.ctx.database.prisma.refreshRequest.findMany({
        where: { linkPk: link.pk },
      });
      expect(requests.map(({ product }) => product)).toEqual(['transactions']);
      expect(await received.row(webhookId)).toMatchObject({ state: 'applied', sealed: null });
    }
    // It was killed before and after the effect of the webhook was stored, and finally not at all.
    expect([...new Set(ends)]).toEqual(['received', 'read', 'applied']);
  });
});
