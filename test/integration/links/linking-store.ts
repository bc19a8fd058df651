import { randomBytes } from 'node:crypto';
import { Decimal } from 'decimal.js';
import { makeStep, type StepContent } from '../../../domain/connect-step.js';
import { ENVIRONMENTS, type Tenant } from '../../../domain/environment.js';
import type { FetchedAccount } from '../../../domain/fetched-data.js';
import type { LinkingQuestion } from '../../../domain/linking-questions.js';
import { combineRequestedProducts } from '../../../domain/products.js';
import { createContext, type Context } from '../../../prisma/context.js';
import { openDatabase } from '../../../prisma/database.js';
import { AccountRepository } from '../../../prisma/repositories/account.repository.js';
import { ApplicationRepository } from '../../../prisma/repositories/application.repository.js';
import type { AcceptedLogin } from '../../../prisma/repositories/accepted-login.js';
import { ExchangeRepository } from '../../../prisma/repositories/exchange.repository.js';
import { InstitutionRepository } from '../../../prisma/repositories/institution.repository.js';
import { LinkRepository } from '../../../prisma/repositories/link.repository.js';
import {
  LinkSessionRepository,
  type NewSession,
} from '../../../prisma/repositories/link-session.repository.js';
import { BankLoginRepository } from '../../../prisma/repositories/bank-login.repository.js';
import { CredentialRepository } from '../../../prisma/repositories/credential.repository.js';
import { LinkingQuestionRepository } from '../../../prisma/repositories/linking-question.repository.js';
import { LoginAttemptRepository } from '../../../prisma/repositories/login-attempt.repository.js';
import { LoginRepository } from '../../../prisma/repositories/login.repository.js';
import { SessionTimeRepository } from '../../../prisma/repositories/session-time.repository.js';
import type { ShownStep } from '../../../prisma/repositories/show-step.js';
import { RefreshRepository } from '../../../prisma/repositories/refresh.repository.js';
import { Sealer } from '../../../prisma/sealing/sealer.js';
import { createTestDatabase } from '../../support/embedded-services.js';

export const TENANT: Tenant = { appId: 'pocket-ledger', environment: 'sandbox' };
export const MINUTE = 60_000;
export const LIVE_LIMIT = 10;

export const clientOf = ({ appId, environment }: Tenant): string => `${environment}_${appId}`;

export interface Store {
  ctx: Context;
  sessions: LinkSessionRepository;
  logins: LoginRepository;
  bankLogins: BankLoginRepository;
  questions: LinkingQuestionRepository;
  attempts: LoginAttemptRepository;
  times: SessionTimeRepository;
  credentials: CredentialRepository;
  exchange: ExchangeRepository;
  links: LinkRepository;
  institutions: InstitutionRepository;
  applications: ApplicationRepository;
  accounts: AccountRepository;
  refresh: RefreshRepository;
  /** Moves the clock on. */
  pass(ms: number): void;
  close(): Promise<void>;
}

/** Repositories of linking over a migrated database, with two apps, two banks and a clock of the test's own. */
export async function openStore(): Promise<Store> {
  const test = await createTestDatabase();
  const database = openDatabase({ url: test.url, name: 'linking-tests', onError: () => undefined });
  let now = Date.parse('2026-03-02T10:00:00.000Z');
  const ctx = createContext(database, new Sealer([{ id: 'test', key: randomBytes(32) }]), {
    clock: () => new Date(now),
  });
  const windows = { exchangeWindowMs: 30 * MINUTE };
  const applications = new ApplicationRepository(ctx);
  const institutions = new InstitutionRepository(ctx);
  for (const appId of ['pocket-ledger', 'other-app']) {
    const clients = ENVIRONMENTS.map((environment) => ({
      clientId: clientOf({ appId, environment }),
      environment,
      secretHash: '',
      liveLimit: LIVE_LIMIT,
    }));
    await applications.createApplication({
      appId,
      name: appId,
      clients,
      redirectOrigins: [],
      pageOrigins: [],
    });
  }
  await institutions.syncCatalogue(
    'sandbox',
    ['first-bank', 'second-bank'].map((institutionId) => ({
      institutionId,
      remoteId: institutionId,
      name: institutionId,
      country: 'US',
      domain: null,
      color: null,
      colorDark: null,
      isFeatured: true,
      environment: 'sandbox' as const,
      login: 'none' as const,
      products: ['accounts', 'account_numbers', 'identity', 'transactions'] as const,
      aliases: [],
    })),
  );
  return {
    ctx,
    applications,
    institutions,
    sessions: new LinkSessionRepository(ctx, {
      unopenedMs: 30 * MINUTE,
      idleMs: 30 * MINUTE,
      totalMs: 60 * MINUTE,
    }),
    logins: new LoginRepository(ctx),
    bankLogins: new BankLoginRepository(ctx),
    questions: new LinkingQuestionRepository(ctx, windows),
    attempts: new LoginAttemptRepository(ctx),
    times: new SessionTimeRepository(ctx),
    credentials: new CredentialRepository(ctx),
    exchange: new ExchangeRepository(ctx, windows),
    links: new LinkRepository(ctx),
    accounts: new AccountRepository(ctx),
    refresh: new RefreshRepository(ctx),
    pass: (ms) => {
      now += ms;
    },
    close: async () => {
      await database.close();
      await test.drop();
    },
  };
}

export function newSession(over: Partial<NewSession> = {}): NewSession {
  return {
    clientId: clientOf(TENANT),
    customerUser: { id: 'user-4711', email: null, phone: null },
    mode: 'link',
    existingLinkId: null,
    presetInstitutionId: null,
    products: combineRequestedProducts({ productsSettings: { transactions: { prefetch: true } } }),
    countries: ['US'],
    providers: [],
    features: {},
    theme: null,
    redirectUri: null,
    webhook: 'https://app.example/hooks/bank',
    tags: ['tier:gold'],
    worldId: 'default',
    ...over,
  };
}

/** A session that was opened and shows its first step. */
export async function openedSession(
  store: Store,
  over: Partial<NewSession> = {},
  tenant: Tenant = TENANT,
): Promise<{ sessionId: string; token: string; connectToken: string }> {
  const { sessionId, token } = await store.sessions.create(
    tenant,
    newSession({ clientId: clientOf(tenant), ...over }),
  );
  await store.sessions.projectStep(sessionId, {
    ...shown(1, { kind: 'select_institution' }),
    accepted: false,
  });
  const opened = await store.sessions.open(sessionId);
  if (opened === null) throw new Error('the session cannot be opened');
  return { sessionId, token, connectToken: opened.connectToken };
}

/** A session in its success step. */
export async function succeededSession(
  store: Store,
  over: Partial<NewSession> = {},
  tenant: Tenant = TENANT,
): Promise<{ sessionId: string; linkId: string }> {
  const { sessionId } = await openedSession(store, over, tenant);
  const { linkId } = await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
  await store.bankLogins.storeLinked(sessionId, ATTEMPT, LINKED);
  await store.questions.finishLinking(sessionId, shown(2, { kind: 'success' }));
  return { sessionId, linkId };
}

/** A link that was exchanged. */
export async function connectedLink(
  store: Store,
  over: Partial<NewSession> = {},
  tenant: Tenant = TENANT,
): Promise<{ sessionId: string; linkId: string; token: string }> {
  const succeeded = await succeededSession(store, over, tenant);
  const result = await store.exchange.finish(succeeded.sessionId, 'first');
  const token = result?.token?.exchangeableToken ?? '';
  if ((await store.exchange.exchange(tenant, token)).kind !== 'exchanged')
    throw new Error('the token was not exchanged');
  return { ...succeeded, token };
}

/** The login under way, where a test has only one. */
export const ATTEMPT = 'attempt-1';

export const LINKED: AcceptedLogin = {
  credential: Buffer.from('canary-credential'),
  reference: 'connection-1',
  consent: 'given_at_bank',
  accounts: [account('checking', '1101'), account('savings', '2202')],
};

/** A session for an existing link, logged in at its bank, which shows the accounts of `login`. */
export async function relinkedAsFarAsLogin(
  store: Store,
  linkId: string,
  over: Partial<NewSession> = {},
  login: AcceptedLogin = RENEWED,
): Promise<{ sessionId: string; questions: LinkingQuestion[] }> {
  const { sessionId } = await openedSession(store, {
    mode: 'relink',
    existingLinkId: linkId,
    products: combineRequestedProducts({}),
    webhook: undefined,
    tags: undefined,
    ...over,
  });
  await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
  return { sessionId, questions: await store.bankLogins.storeLinked(sessionId, ATTEMPT, login) };
}

/** The same customer again, with another permission. */
export const RENEWED: AcceptedLogin = {
  ...LINKED,
  credential: Buffer.from('canary-renewed'),
  reference: 'connection-2',
  consent: 'ask',
};

export function account(providerAccountId: string, mask: string): FetchedAccount {
  return {
    providerAccountId,
    accountType: `depository.${providerAccountId}`,
    name: providerAccountId,
    mask,
    currency: 'USD',
    available: new Decimal('2210.52'),
    current: new Decimal('2350.00'),
    limit: null,
    balanceDate: new Date('2026-03-02T10:00:00Z'),
  };
}

export function shown(seq: number, content: StepContent): ShownStep {
  return { seq, step: makeStep(seq, content) };
}

/** The events of a link as an app would read them, oldest first: `state connecting`, `state error/user_error`, `transactions completed`, `updates`. */
export async function eventsOf(store: Store, linkId: string): Promise<string[]> {
  const rows = await store.ctx.database.prisma.webhookEvent.findMany({
    where: { linkId },
    orderBy: { pk: 'asc' },
  });
  return rows.map(({ body }) => {
    const event = JSON.parse(body) as {
      webhook_event: string;
      state?: string;
      error?: string | null;
      product?: string;
    };
    if (event.webhook_event === 'link.state_changed')
      return `state ${event.state}${event.error === null ? '' : `/${event.error}`}`;
    return event.webhook_event === 'link.product_refresh'
      ? `${event.product} ${event.state}`
      : 'updates';
  });
}
