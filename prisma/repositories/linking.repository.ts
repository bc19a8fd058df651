import type { Step, StepContent } from '../../domain/connect-step.js';
import type { Environment } from '../../domain/environment.js';
import { FAILURE_MEANINGS } from '../../domain/failure-mapping.js';
import { makeId } from '../../domain/ids.js';
import { PRODUCTS, requiredProducts, type Product, type RequestedProducts } from '../../domain/products.js';
import type { ProviderCause } from '../../domain/provider-failure.js';
import { bytesColumn, type Context } from '../context.js';
import type { Tx } from '../database.js';
import { Prisma } from '../generated/client.js';
import { createLink, lockLink, transitionLink } from './link-transition.js';
import { asJson, endSession, lockSession, openSecret, putSecret, showStep } from './link-session.repository.js';
import { storeFirstAccounts, type FirstAccount } from './store-first-accounts.js';
import { requestRefresh } from './request-refresh.js';

/** A step to show in the same transaction as the change that leads to it. */
export interface ShownStep {
  seq: number;
  step: Step;
}

export interface BegunLogin {
  linkId: string;
  provider: string;
  remoteId: string;
  institutionId: string;
}

/** What a provider needs to know of the session; the workflow never holds it. */
export interface LoginFacts {
  linkId: string;
  remoteId: string;
  provider: string;
  customerUserId: string;
  environment: Environment;
  requestedProducts: Product[];
  worldId: string;
}

/** A step that a bank asked for, prepared by the activity that talked to it. */
export interface PreparedStep {
  content: StepContent;
  message: string | null;
  error: { code: string; text: string } | null;
  attemptsLeft: number | null;
  /** ISO 8601. */
  expiresAt: string | null;
}

type SessionRow = NonNullable<Awaited<ReturnType<typeof lockSession>>>;

/** The session is over: what was asked for cannot happen any more. */
export class SessionOver extends Error {
  constructor(readonly sessionId: string) {
    super(`the session ${sessionId} has ended`);
    this.name = 'SessionOver';
  }
}

/** From the first choice of an institution to the end of the login: what a link session does to its link. */
export class LinkingRepository {
  constructor(
    private readonly ctx: Context,
    private readonly windows: { exchangeWindowMs: number },
  ) {}

  /**
   * login_started: the link row comes into being, or the one of this session and institution begins again. A link begun
   * at another institution in this session is given up. Doing it twice is doing it once. @throws TrialLimitReached
   */
  async beginLogin(sessionId: string, institutionId: string): Promise<BegunLogin> {
    const { ctx } = this;
    return ctx.database.transaction(async (tx) => {
      const session = await this.openSession(tx, sessionId);
      const route = await bestRoute(tx, institutionId, session);
      const earlier = session.linkPk === null ? null : await lockLink(tx, session.linkPk);
      if (earlier !== null && earlier.institutionId === institutionId) {
        const { link } = await transitionLink(ctx, tx, earlier.pk, { type: 'login_started', sameSessionAndInstitution: true });
        await tx.linkSession.update({ where: { sessionId }, data: { institutionId, bankAccepted: false } });
        return { linkId: link.linkId, provider: link.provider, remoteId: route.remoteId, institutionId };
      }
      if (earlier !== null) await this.giveUp(tx, session);
      const link = await createLink(ctx, tx, {
        linkId: makeId('link', ctx.random),
        appId: session.appId,
        environment: session.environment,
        clientId: session.clientId,
        customerUserPk: session.customerUserPk,
        institutionId,
        provider: route.provider,
        tags: session.tags,
        webhook: session.webhook,
        worldId: session.worldId,
        products: grantedProducts(session.products as RequestedProducts, route.products),
      }, { type: 'login_started', sameSessionAndInstitution: true });
      await tx.linkSession.update({ where: { sessionId }, data: { institutionId, linkPk: link.pk, bankAccepted: false } });
      return { linkId: link.linkId, provider: link.provider, remoteId: route.remoteId, institutionId };
    });
  }

  /**
   * At an institution with a login of its own pages the way there is offered, and nothing is begun yet; a link begun at
   * another institution in this session is given up. False for any other institution, where nothing changes. Source:
   * link-lifecycle 6.2, login_started.
   */
  async offerRedirect(sessionId: string, institutionId: string): Promise<boolean> {
    return this.ctx.database.transaction(async (tx) => {
      const institution = await tx.institution.findUnique({ where: { institutionId }, select: { login: true } });
      if (institution?.login !== 'oauth') return false;
      const session = await this.openSession(tx, sessionId);
      const earlier = session.linkPk === null ? null : await lockLink(tx, session.linkPk);
      const isElsewhere = earlier !== null && earlier.institutionId !== institutionId;
      if (isElsewhere) await this.giveUp(tx, session);
      const data = { institutionId, bankAccepted: false, preparedStep: asJson(NOT_STARTED) };
      await tx.linkSession.update({ where: { sessionId }, data: isElsewhere ? { ...data, linkPk: null } : data });
      return true;
    });
  }

  /** What the provider has to be told to log in, or null when the session has no login under way. */
  async loginFacts(sessionId: string): Promise<LoginFacts | null> {
    const session = await this.ctx.database.prisma.linkSession.findUnique({ where: { sessionId }, include: { link: { include: { products: true } }, customerUser: true } });
    if (session === null || session.link === null || session.state === 'ended') return null;
    const { link } = session;
    const route = await this.ctx.database.prisma.institutionRoute.findUnique({ where: { institutionId_provider: { institutionId: link.institutionId, provider: link.provider } } });
    if (route === null) return null;
    return {
      linkId: link.linkId,
      remoteId: route.remoteId,
      provider: link.provider,
      customerUserId: session.customerUser.userId,
      environment: session.environment as Environment,
      requestedProducts: link.products.map(({ product }) => product as Product),
      worldId: session.worldId,
    };
  }

  /** Keeps the step a bank asks for, and the provider's own state sealed, until the workflow shows it. */
  async storePreparedStep(sessionId: string, prepared: PreparedStep, providerState: Uint8Array): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      await this.openSession(tx, sessionId);
      await putSecret(this.ctx, tx, sessionId, 'provider_state', '', providerState);
      await tx.linkSession.update({ where: { sessionId }, data: { preparedStep: asJson(prepared) } });
    });
  }

  async preparedStep(sessionId: string): Promise<PreparedStep | null> {
    const row = await this.ctx.database.prisma.linkSession.findUnique({ where: { sessionId }, select: { preparedStep: true } });
    return (row?.preparedStep ?? null) as PreparedStep | null;
  }

  async providerState(sessionId: string): Promise<Buffer | null> {
    return openSecret(this.ctx, this.ctx.database.prisma, sessionId, 'provider_state', '');
  }

  /**
   * The bank accepted the login: seals the credential and stores the accounts it showed, which completes the `accounts`
   * product. Doing it twice is doing it once. Throws `SessionOver` when the user gave up meanwhile.
   */
  async storeLinked(sessionId: string, linked: { credential: Uint8Array; reference: string; accounts: readonly FirstAccount[] }): Promise<void> {
    const { ctx } = this;
    await ctx.database.transaction(async (tx) => {
      const session = await this.openSession(tx, sessionId);
      if (session.linkPk === null) throw new SessionOver(sessionId);
      const link = await lockLink(tx, session.linkPk);
      if (link.state !== 'connecting') throw new SessionOver(sessionId);
      const sealed = bytesColumn(await ctx.sealer.sealUnder(tx, `credential/${link.linkId}`, credentialPlace(link.linkId), linked.credential));
      const credential = { provider: link.provider, reference: linked.reference, sealed };
      await tx.providerCredential.upsert({ where: { linkPk: link.pk }, create: { linkPk: link.pk, ...credential, createdAt: ctx.clock() }, update: credential });
      await storeFirstAccounts(ctx, tx, link, linked.accounts);
      await tx.linkSession.update({ where: { sessionId }, data: { bankAccepted: true } });
    });
  }

  /**
   * linking_done: the link awaits its exchange, products with `prefetch` are asked for, the success step is shown; all
   * in one transaction. Doing it twice is doing it once.
   */
  async finishLinking(sessionId: string, shown: ShownStep): Promise<void> {
    const { ctx } = this;
    await ctx.database.transaction(async (tx) => {
      const session = await this.openSession(tx, sessionId);
      if (session.linkPk === null) throw new SessionOver(sessionId);
      const { changed, link } = await transitionLink(ctx, tx, session.linkPk, { type: 'linking_done' });
      if (changed) {
        await tx.link.update({ where: { pk: link.pk }, data: { exchangeExpiresAt: this.exchangeDeadline() } });
        const wanted = await tx.linkProduct.findMany({ where: { linkPk: link.pk, prefetch: true, product: { not: 'accounts' } }, orderBy: { position: 'asc' } });
        await requestRefresh(ctx, tx, link, wanted.map(({ product }) => product as Product), 'prefetch');
      }
      await showStep(tx, session, shown, { state: 'succeeded' });
    });
  }

  /** login_failed: the attempt cannot go on; the link and the user are told why, in one transaction. */
  async failLogin(sessionId: string, cause: ProviderCause, shown: ShownStep): Promise<void> {
    const meaning = FAILURE_MEANINGS[cause];
    await this.ctx.database.transaction(async (tx) => {
      const session = await this.openSession(tx, sessionId);
      const link = session.linkPk === null ? null : await lockLink(tx, session.linkPk);
      if (link?.state === 'connecting') {
        await transitionLink(this.ctx, tx, link.pk, { type: 'login_failed', error: meaning.linkError }, { errorMessage: meaning.text, errorCause: cause });
      }
      await showStep(tx, session, shown, { bankAccepted: false });
    });
  }

  /**
   * The user left, or chose to begin elsewhere: the attempt ends, the session lives on and shows `shown`. After success
   * nothing changes. Source: connect 4 (exit), link-lifecycle 6.2 (given_up_before, given_up_after).
   */
  async exitAttempt(sessionId: string, shown: ShownStep): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      const session = await this.openSession(tx, sessionId);
      if (session.state === 'succeeded') return;
      await this.giveUp(tx, session);
      await tx.sessionSecret.deleteMany({ where: { sessionId } });
      await tx.oAuthState.deleteMany({ where: { sessionId } });
      await showStep(tx, session, shown, { institutionId: null, bankAccepted: false, preparedStep: Prisma.DbNull });
    });
  }

  /**
   * Applies every time limit of the session and of its link that is over, and says when to look again
   * (null = never: nothing can become due any more). Whoever calls, the columns decide.
   */
  async expireIfDue(sessionId: string): Promise<{ state: string; nextDeadline: Date | null }> {
    const { ctx } = this;
    return ctx.database.transaction(async (tx) => {
      const session = await lockSession(tx, sessionId);
      if (session === null) return { state: 'ended', nextDeadline: null };
      const now = ctx.clock();
      const link = session.linkPk === null ? null : await lockLink(tx, session.linkPk);
      let state = session.state;
      if (state !== 'ended' && session.expiresAt <= now) {
        if (state !== 'succeeded') await this.giveUp(tx, session);
        await endSession(ctx, tx, sessionId, 'expired');
        state = 'ended';
      } else if (state === 'ended' && link?.state === 'connecting') {
        await this.giveUp(tx, session);
      }
      const awaiting = link?.state === 'awaiting_token_exchange' ? link : null;
      if (awaiting !== null && awaiting.exchangeExpiresAt !== null && awaiting.exchangeExpiresAt <= now) {
        await transitionLink(ctx, tx, awaiting.pk, { type: 'exchange_window_over' }, { errorMessage: 'The result of linking was never exchanged.', errorCause: 'exchange_window_over' });
        await endSession(ctx, tx, sessionId, 'exchange_window_over');
        return { state: 'ended', nextDeadline: null };
      }
      const open = [state === 'ended' ? null : session.expiresAt, awaiting?.exchangeExpiresAt ?? null].filter((at) => at !== null);
      return { state, nextDeadline: open.length === 0 ? null : new Date(Math.min(...open.map(Number))) };
    });
  }

  /** An operator cancelled the workflow: the session ends now. */
  async cancelSession(sessionId: string): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      const session = await lockSession(tx, sessionId);
      if (session === null || session.state === 'ended') return;
      if (session.state !== 'succeeded') await this.giveUp(tx, session);
      await endSession(this.ctx, tx, sessionId, 'cancelled');
    });
  }

  /**
   * Sessions and links that are overdue since `before`, however their workflow fared; rows somebody is working on are
   * left to them. Answers how many were looked at.
   */
  async sweepOverdue(before: Date, limit: number): Promise<number> {
    const rows = await this.ctx.database.prisma.$queryRaw<{ session_id: string }[]>`
      SELECT session_id FROM link_sessions WHERE session_id IN (
        (SELECT session_id FROM link_sessions
          WHERE state IN ('created', 'open', 'succeeded') AND expires_at < ${before} ORDER BY expires_at LIMIT ${limit})
        UNION ALL
        (SELECT s.session_id FROM links l JOIN link_sessions s ON s.link_pk = l.pk
          WHERE l.state = 'awaiting_token_exchange' AND l.exchange_expires_at < ${before} LIMIT ${limit})
        UNION ALL
        (SELECT s.session_id FROM links l JOIN link_sessions s ON s.link_pk = l.pk
          WHERE l.state = 'connecting' AND s.state = 'ended' AND s.ended_at < ${before} LIMIT ${limit}))
      FOR UPDATE SKIP LOCKED`;
    for (const { session_id: sessionId } of rows) await this.expireIfDue(sessionId);
    return rows.length;
  }

  /** The credential of a link, opened. Null when it has none any more. */
  async credential(linkId: string): Promise<{ credential: Buffer; provider: string; remoteId: string } | null> {
    const { prisma } = this.ctx.database;
    const link = await prisma.link.findUnique({ where: { linkId }, include: { credential: true } });
    if (link === null || link.credential === null) return null;
    const route = await prisma.institutionRoute.findUnique({ where: { institutionId_provider: { institutionId: link.institutionId, provider: link.provider } } });
    if (route === null) return null;
    const credential = await this.ctx.sealer.openUnder(prisma, `credential/${linkId}`, credentialPlace(linkId), link.credential.sealed);
    return { credential, provider: link.provider, remoteId: route.remoteId };
  }

  exchangeDeadline(): Date {
    return new Date(this.ctx.clock().getTime() + this.windows.exchangeWindowMs);
  }

  /** given_up_before or given_up_after, by whether the bank had accepted the login. */
  private async giveUp(tx: Tx, session: SessionRow): Promise<void> {
    if (session.linkPk === null) return;
    const link = await lockLink(tx, session.linkPk);
    if (link.state !== 'connecting') return;
    await transitionLink(
      this.ctx, tx, link.pk,
      { type: session.bankAccepted ? 'given_up_after' : 'given_up_before' },
      session.bankAccepted
        ? { errorMessage: 'The user left after signing in at the bank.', errorCause: 'given_up_after' }
        : { errorMessage: 'The user left before signing in at the bank.', errorCause: 'given_up_before' },
    );
  }

  private async openSession(tx: Tx, sessionId: string): Promise<SessionRow> {
    const session = await lockSession(tx, sessionId);
    if (session === null || session.state === 'ended') throw new SessionOver(sessionId);
    return session;
  }
}

/** The way to the bank's own pages as long as nobody has gone it. It stays prepared while the user is there. */
const NOT_STARTED: PreparedStep = { content: { kind: 'redirect', started: false }, message: null, error: null, attemptsLeft: null, expiresAt: null };

function credentialPlace(linkId: string) {
  return { table: 'provider_credentials', column: 'sealed', row: linkId };
}

/** The best route the session may use: healthy before degraded, then by priority. */
async function bestRoute(tx: Tx, institutionId: string, session: SessionRow): Promise<Prisma.InstitutionRouteGetPayload<object>> {
  const routes = await tx.institutionRoute.findMany({
    where: { institutionId, products: { hasEvery: requiredProducts(session.products as RequestedProducts) }, ...(session.providers.length === 0 ? {} : { provider: { in: session.providers } }) },
    orderBy: [{ priority: 'desc' }, { provider: 'asc' }],
  });
  const best = routes.find((route) => route.health !== 'down') ?? routes[0];
  if (best === undefined) throw new Error(`no route to ${institutionId} for this session`);
  return best;
}

/** Of the requested products those the institution carries, in the order of the contract. */
function grantedProducts(requested: RequestedProducts, supported: readonly string[]) {
  return PRODUCTS.flatMap((product, position) => {
    const settings = requested[product];
    return settings === undefined || !supported.includes(product) ? [] : [{ product, position, settings }];
  });
}
