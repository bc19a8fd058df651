import { spawn } from 'node:child_process';
import { createPublicKey, randomBytes, sign, verify, type JsonWebKey } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { startApi, type RunningApi } from '../../../apps/api/src/server/start-api.js';
import { readSettings } from '../../../apps/platform/src/config/settings.js';
import { createLogger } from '../../../apps/platform/src/logging/logger.js';
import { createContext, type Context } from '../../../prisma/base/context.js';
import { bytesColumn } from '../../../prisma/base/database/bytes.js';
import { SigningKeys } from '../../../prisma/base/keys/signing-key.repository.js';
import { SEALED_COLUMNS, type SealedRow } from '../../../prisma/base/master-keys/sealed-columns.js';
import { openCredential } from '../../../prisma/sources/permissions/provider-credential.js';
import { Sealer } from '../../../prisma/base/sealing/sealer.js';
import { ApiClient, type ApiResponse } from '../../support/services/api-client.js';
import {
  connectedLink,
  finishedSession,
  startApiInProcess,
  type ApiInProcess,
} from '../../support/services/api-in-process.js';
import { RowSteps } from '../../support/services/row-steps.js';

const COMMAND = fileURLToPath(new URL('../../../dist/apps/operator/src/main.js', import.meta.url));
const KILLER = fileURLToPath(new URL('./kill-after-update.mjs', import.meta.url));
/** Long runs kill around every commit. */
const MAX_KILLS = process.env['LONG_RUNS'] ? Infinity : 2;
/** Two batches of data keys. */
const SECRETS = 600;
const next = { id: 'next', key: randomBytes(32) };
const nextKey = `next:${next.key.toString('base64')}`;

let service: ApiInProcess;
const running: RunningApi[] = [];

beforeAll(async () => {
  service = await startApiInProcess();
});

afterAll(async () => {
  for (const api of running) await api.close();
  await service.close();
});

/** Another API process, with keys of its own. */
async function startWith(masterKeys: string, ctx: Context): Promise<ApiClient> {
  const settings = readSettings({ ...service.environment, MASTER_KEYS: masterKeys }, 'api');
  const api = await startApi({
    settings: { ...settings, apiPort: 0, metricsPort: 0 },
    logger: createLogger({ name: 'api', level: 'fatal', format: 'json' }),
    workflows: new RowSteps(ctx),
  });
  running.push(api);
  return new ApiClient(api.url);
}

async function rewrap(killAt?: 'before' | 'after') {
  const child = spawn(
    process.execPath,
    [
      ...(killAt === undefined ? [] : ['--import', KILLER]),
      COMMAND,
      ...['keys', 'master', 'rewrap', '--json'],
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: service.environment['DATABASE_URL'],
        MASTER_KEYS: `${nextKey},${service.environment['MASTER_KEYS']}`,
        KILL_AT: killAt,
      },
    },
  );
  const [stdout, stderr, [status, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
  ]);
  return { status, signal, stdout, stderr };
}

/** Creates a session with an idempotency key. */
const createSession = (api: ApiClient, key: string): Promise<ApiResponse> =>
  api.post('/link-session', {
    json: { customer_user: { id: 'user-1' }, settings: { products: ['transactions'] } },
    headers: { 'Idempotency-Key': key },
  });

/** Data keys without anything sealed under them, in one statement. */
async function storeDataKeys({ sealer: { masterKeys }, database }: Context): Promise<void> {
  const data = [];
  for (let row = 0; row < SECRETS; row += 1) {
    const owner = `test/${row}`;
    const place = Buffer.from(`data_keys/${owner}`);
    const wrapped = await masterKeys.seal('test', 'data keys', place, randomBytes(32));
    data.push({ owner, masterKeyId: 'test', wrapped: bytesColumn(wrapped) });
  }
  await database.prisma.dataKey.createMany({ data });
}

/** Opens every value that a master key sealed. @returns how many */
async function openEverything(ctx: Context): Promise<number> {
  let opened = 0;
  for (const sealed of SEALED_COLUMNS) {
    const { rows } = await ctx.database.pool.query<SealedRow>(
      `SELECT ${sealed.key} AS key, ${sealed.column} AS value, ${sealed.masterKeyId} AS "masterKeyId"
         FROM ${sealed.table} WHERE ${sealed.column} IS NOT NULL`,
    );
    for (const row of rows) await sealed.reseal(ctx.sealer, row);
    opened += rows.length;
  }
  return opened;
}

describe('keys master rewrap', () => {
  it('loses no sealed value when it is killed around every commit under load, and makes the old key unnecessary', async () => {
    const { ctx, database } = service;
    const token = await service.token('pocket-ledger');
    const before = service.api.as(token);
    const linkId = await connectedLink(service, token);
    const first = await before.get(`/links/${linkId}/transactions/sync`);
    const {
      cursor: { next: walked },
    } = first.body as { cursor: { next: string } };
    const cursor = encodeURIComponent(walked);
    const created = await createSession(before, 'before');
    const finished = await finishedSession(service, token);
    const jwks = await service.api.get('/.well-known/jwks.json');
    await storeDataKeys(ctx);

    const both = createContext(
      database,
      new Sealer([next, { id: 'test', key: keyOf(service.environment['MASTER_KEYS'] ?? '') }]),
    );
    const during = await startWith(`${nextKey},${service.environment['MASTER_KEYS']}`, both);
    const load = { stopped: false, requests: 0, failed: [] as string[] };
    const loading = (async () => {
      while (!load.stopped) {
        const key = `during-${load.requests}`;
        const answers = [
          await createSession(during.as(token), key),
          await createSession(during.as(token), key),
          await during.as(token).get(`/links/${linkId}/transactions/sync?cursor=${cursor}`),
        ];
        load.requests += 1;
        load.failed.push(...answers.filter(({ status }) => status >= 300).map(({ text }) => text));
      }
    })();

    let killed = 0;
    for (;;) {
      if (killed >= MAX_KILLS) {
        expect((await rewrap()).status).toBe(0);
        break;
      }
      const { signal } = await rewrap('before');
      if (signal !== 'SIGKILL') break;
      expect((await rewrap('after')).signal).toBe('SIGKILL');
      killed += 2;
    }
    load.stopped = true;
    await loading;
    // Two batches of data keys, and one of each other table.
    expect(killed).toBeGreaterThanOrEqual(Math.min(10, MAX_KILLS));
    expect(load.requests).toBeGreaterThan(0);
    expect(load.failed).toEqual([]);
    const last = await rewrap();
    expect({ ...last, stdout: JSON.parse(last.stdout) as unknown }).toEqual({
      status: 0,
      signal: null,
      stderr: expect.stringMatching(/"outcome":"succeeded","msg":"audit\.command"\}\n$/),
      stdout: {
        rewrapped: { data_keys: 0, signing_keys: 0, cursor_keys: 0, idempotency_records: 0 },
        left: { test: 0 },
        unreadable: [],
      },
    });

    const alone = createContext(database, new Sealer([next]));
    expect(await openEverything(alone)).toBeGreaterThan(SECRETS);
    const after = (await startWith(nextKey, alone)).as(token);
    expect((await after.get('/.well-known/jwks.json')).body).toEqual(jwks.body);
    expect((await createSession(after, 'before')).body).toEqual(created.body);
    expect(await after.get(`/links/${linkId}/transactions/sync?cursor=${cursor}`)).toMatchObject({
      status: 200,
    });
    const exchanged = await after.post('/link-session/exchange-token', {
      json: { exchangeable_token: finished.exchangeableToken },
    });
    expect(exchanged.status).toBe(201);
    const link = await database.prisma.link.findUniqueOrThrow({ where: { linkId } });
    expect((await openCredential(alone, database.prisma, link))?.credential.toString()).toBe(
      'canary-credential',
    );
    const { kid, privateKey } = await new SigningKeys(alone).current();
    const published = (jwks.body as { keys: (JsonWebKey & { kid: string })[] }).keys.find(
      (key) => key.kid === kid,
    );
    const message = Buffer.from('message');
    expect(
      verify(
        'sha256',
        message,
        createPublicKey({ key: published ?? {}, format: 'jwk' }),
        sign('sha256', message, privateKey),
      ),
    ).toBe(true);
  });
});

const keyOf = (setting: string): Buffer => Buffer.from(setting.split(':')[1] ?? '', 'base64');
