import { randomBytes, randomUUID } from 'node:crypto';
import type { PoolClient } from 'pg';
import { startApi } from '../../../apps/api/src/server/start-api.js';
import { readSettings } from '../../../apps/platform/src/config/settings.js';
import { createProcessLogger } from '../../../apps/platform/src/process/process-logger.js';
import type { Environment, Tenant } from '../../../domain/api/environment.js';
import type { Product } from '../../../domain/link/products.js';
import { createContext, type Context } from '../../../prisma/base/context.js';
import {
  openDatabase,
  type Database,
  type DatabaseTimeouts,
} from '../../../prisma/base/database/database.js';
import { ApplicationRepository } from '../../../prisma/tenants/applications/application.repository.js';
import { InstitutionRepository } from '../../../prisma/sources/institutions/institution.repository.js';
import { Sealer } from '../../../prisma/base/sealing/sealer.js';
import { hashClientSecret } from '../../../prisma/tenants/applications/client-secret.js';
import { checkLogLines } from '../assertions/check-log-lines.mjs';
import { ApiClient } from './api-client.js';
import { createTestDatabase } from './embedded-services.js';
import { OAUTH_BANK, RowSteps } from './row-steps.js';

export const BANK = 'sandbox-instant-bank';
export const APPS = ['pocket-ledger', 'rival'] as const;
export type AppId = (typeof APPS)[number];

export const clientId = (app: AppId, environment: Environment) => `${environment}_${app}`;
export const clientSecret = (app: AppId, environment: Environment) =>
  `secret-of-${environment}-${app}`;

/** The API on a free port of this process, on its own database, with two apps and one bank. */
export interface ApiInProcess {
  api: ApiClient;
  /** The settings of another process that works on the same rows. */
  environment: Readonly<Record<string, string>>;
  /** The configured address of Connect. */
  connectBaseUrl: string;
  ctx: Context;
  database: Database;
  steps: RowSteps;
  /** Everything the process logged. */
  log(): string;
  token(app: AppId, environment?: Environment, scope?: string): Promise<string>;
  /** Starts a second API process on the same database. */
  another(
    timeouts?: Partial<DatabaseTimeouts>,
  ): Promise<{ api: ApiClient; close(): Promise<void> }>;
  /** Stops the API and closes `database`, with the connections that a test took and did not return. */
  close(): Promise<void>;
}

export interface ApiInProcessOptions {
  /** Changes the database address for the API only. */
  route?: (databaseUrl: string) => Promise<string>;
  /** The folder of the built hosted app. */
  connectFolder?: string;
  /** The time for which a caller may leave its response unread. */
  unreadResponseMs?: number;
  /** Other limits on the API's waits for the database. */
  databaseTimeouts?: Partial<DatabaseTimeouts>;
  /** The time by which the compatibility layer counts calls per minute. */
  callClock?: () => number;
}

/**
 * Settings as in the environment. With TEMPORAL_ADDRESS the real Temporal client is used instead
 * of `RowSteps`.
 */
export async function startApiInProcess(
  env: Record<string, string> = {},
  {
    route = (url) => Promise.resolve(url),
    connectFolder,
    unreadResponseMs,
    databaseTimeouts,
    callClock,
  }: ApiInProcessOptions = {},
): Promise<ApiInProcess> {
  const test = await createTestDatabase();
  const masterKey = randomBytes(32);
  const environment = {
    DATABASE_URL: await route(test.url),
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    MASTER_KEYS: `test:${masterKey.toString('base64')}`,
    RATE_LIMIT_API: 'off',
    RATE_LIMIT_ANONYMOUS: 'off',
    RATE_LIMIT_TOKEN: 'off',
    RATE_LIMIT_CONNECT: 'off',
    RATE_LIMIT_FAILED_AUTH: 'off',
    ...env,
  };
  const settings = readSettings(environment, 'api');
  const database = openDatabase({ url: test.url, name: 'api-tests', onError: () => undefined });
  const endLent = lentBy(database.pool);
  const ctx = createContext(database, new Sealer([{ id: 'test', key: masterKey }]), {
    permissionNoticesMs: settings.permissionNotices,
  });
  await seed(ctx);
  const steps = new RowSteps(ctx);
  let log = '';
  const logger = createProcessLogger({
    name: 'api',
    level: 'debug',
    format: 'json',
    destination: {
      write: (line: string) => {
        log += line;
      },
    },
  });
  const start = (timeouts = databaseTimeouts) =>
    startApi({
      settings: { ...settings, apiPort: 0, metricsPort: 0 },
      logger,
      ...(connectFolder === undefined ? {} : { connectFolder }),
      ...(unreadResponseMs === undefined ? {} : { unreadResponseMs }),
      ...(timeouts === undefined ? {} : { databaseTimeouts: timeouts }),
      ...(callClock === undefined ? {} : { callClock }),
      ...(env['TEMPORAL_ADDRESS'] === undefined ? { workflows: steps } : {}),
    });
  const running = await start();
  const api = new ApiClient(running.url);
  return {
    api,
    environment,
    connectBaseUrl: settings.connectBaseUrl,
    ctx,
    database,
    steps,
    log: () => log,
    token: async (app, environment = 'sandbox', scope = '') => {
      const answer = await api.post('/auth/token', {
        form: {
          client_id: clientId(app, environment),
          client_secret: clientSecret(app, environment),
          scope,
        },
      });
      if (answer.status !== 201)
        throw new Error(`/auth/token returned ${answer.status}: ${answer.text}`);
      return JSON_OF<{ access_token: string }>(answer).access_token;
    },
    another: async (timeouts) => {
      const { url, close } = await start(timeouts);
      return { api: new ApiClient(url), close };
    },
    close: async () => {
      await running.close();
      endLent();
      await database.close();
      await test.drop();
      checkLogLines(log, 'the API');
    },
  };
}

/** A pool never closes while a connection is lent, and a failing test may not return its own. */
function lentBy(pool: Database['pool']): () => void {
  const lent = new Set<PoolClient>();
  pool.on('acquire', (client) => lent.add(client));
  pool.on('release', (_error, client) => lent.delete(client));
  return () => {
    for (const client of lent) client.release(true);
  };
}

async function seed(ctx: Context): Promise<void> {
  for (const appId of APPS) {
    const client = (environment: Environment) => ({
      clientId: clientId(appId, environment),
      environment,
      secretHash: hashClientSecret(clientSecret(appId, environment)),
      liveLimit: 10,
    });
    await new ApplicationRepository(ctx).createApplication({
      appId,
      name: appId,
      redirectOrigins: [],
      pageOrigins: [],
      clients: [client('sandbox'), client('live')],
    });
  }
  const bank = (
    institutionId: string,
    login: 'none' | 'oauth',
    environment: Environment,
    products: Product[],
  ) => ({
    institutionId,
    remoteId: institutionId,
    name: institutionId,
    country: 'US',
    domain: null,
    color: '#2255aa',
    colorDark: null,
    isFeatured: login === 'none',
    environment,
    login,
    products,
    aliases: institutionId === BANK ? ['instant'] : [],
  });
  await new InstitutionRepository(ctx).syncCatalog('sandbox', [
    bank(BANK, 'none', 'sandbox', ['accounts', 'transactions']),
    bank(OAUTH_BANK, 'oauth', 'sandbox', [
      'accounts',
      'transactions',
      'identity',
      'account_numbers',
    ]),
    bank('live-bank', 'none', 'live', ['accounts']),
  ]);
}

export interface OpenedSession {
  sessionId: string;
  linkSessionToken: string;
  connectToken: string;
  seq: number;
}

const JSON_OF = <T>(response: { body: unknown }) => response.body as T;

/** Creates a session and opens it. */
export async function openSession(
  { api }: ApiInProcess,
  accessToken: string,
  request: Record<string, unknown> = {},
): Promise<OpenedSession> {
  const created = await api.as(accessToken).post('/link-session', {
    json: {
      customer_user: { id: 'user-4711' },
      settings: { products: ['transactions'] },
      ...request,
    },
  });
  const { link_session_token: linkSessionToken } = JSON_OF<{ link_session_token: string }>(created);
  const opened = await api.post('/connect/api/session/open', {
    json: {
      link_session_token: linkSessionToken,
      request_id: randomUUID(),
      origin: 'https://app.example',
      platform: 'web',
    },
  });
  if (opened.status !== 200) throw new Error(`open returned ${opened.status}: ${opened.text}`);
  const view = JSON_OF<{ session_id: string; connect_token: string; seq: number }>(opened);
  return {
    sessionId: view.session_id,
    linkSessionToken,
    connectToken: view.connect_token,
    seq: view.seq,
  };
}

/** Takes a session at the bank to its success step. */
export async function finishedSession(
  service: ApiInProcess,
  accessToken: string,
  request: Record<string, unknown> = {},
): Promise<OpenedSession & { exchangeableToken: string }> {
  const session = await openSession(service, accessToken, request);
  const connect = service.api.as(session.connectToken);
  const step = await connect.post('/connect/api/session/step', {
    json: {
      seq: session.seq,
      request_id: randomUUID(),
      input: { kind: 'select_institution', institution_id: BANK },
    },
  });
  if (step.status !== 200) throw new Error(`step returned ${step.status}: ${step.text}`);
  const finished = await connect.post('/connect/api/session/finish', {
    json: { request_id: randomUUID() },
  });
  if (finished.status !== 200)
    throw new Error(`finish returned ${finished.status}: ${finished.text}`);
  return {
    ...session,
    seq: session.seq + 1,
    exchangeableToken: JSON_OF<{ exchangeable_token: string }>(finished).exchangeable_token,
  };
}

/** Links the bank and exchanges the token; returns the link id. */
export async function connectedLink(
  service: ApiInProcess,
  accessToken: string,
  request: Record<string, unknown> = {},
): Promise<string> {
  const { exchangeableToken } = await finishedSession(service, accessToken, request);
  const exchanged = await service.api
    .as(accessToken)
    .post('/link-session/exchange-token', { json: { exchangeable_token: exchangeableToken } });
  if (exchanged.status !== 201)
    throw new Error(`exchange returned ${exchanged.status}: ${exchanged.text}`);
  return JSON_OF<{ link_id: string }>(exchanged).link_id;
}

/** Forces a link into a state. */
export async function forceLink(
  { database }: ApiInProcess,
  linkId: string,
  data: {
    state: string;
    errorCode?: string | null;
    connectedAt?: Date | null;
    deletedAt?: Date | null;
  },
): Promise<void> {
  await database.prisma.link.update({ where: { linkId }, data });
}

/** Grants products as if the user had consented to them; none was ever fetched. */
export async function grantProducts(
  { database }: ApiInProcess,
  linkId: string,
  products: readonly Product[],
): Promise<void> {
  const { pk: linkPk } = await database.prisma.link.findUniqueOrThrow({ where: { linkId } });
  await database.prisma.linkProduct.createMany({
    data: products.map((product, index) => ({
      linkPk,
      product,
      position: 10 + index,
      required: false,
      prefetch: false,
      requirePermission: false,
      extendHistory: false,
    })),
  });
}

export const tenant = (appId: AppId, environment: Environment = 'sandbox'): Tenant => ({
  appId,
  environment,
});
