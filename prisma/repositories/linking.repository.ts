import type { Step, StepContent } from '../../domain/connect-step.js';
import type { Environment } from '../../domain/environment.js';
import { FAILURE_MEANINGS } from '../../domain/failure-mapping.js';
import type { LinkError, LinkState } from '../../domain/link-state.js';
import { makeId } from '../../domain/ids.js';
import { eligibleAccounts, offerAccounts, offerConsent, questionsOf, type LinkingQuestion, type Permission } from '../../domain/linking-questions.js';
import { PRODUCTS, type Product, type RequestedProducts } from '../../domain/products.js';
import type { PlaidSession } from '../../domain/plaid-session.js';
import { ProviderFailure, type ProviderCause } from '../../domain/provider-failure.js';
import type { Context } from '../context.js';
import type { Tx } from '../database.js';
import { Prisma, type LinkSession } from '../generated/client.js';
import { keepLogin, keptLogin, type AcceptedLogin } from './accepted-login.js';
import { failLogin } from './fail-login.js';
import { finishLinking, type LinkingAnswers } from './finish-linking.js';
import { giveUp } from './give-up.js';
import { bestRoute, routeOf } from './institution-route.js';
import { createLink, lockLink, transitionLink } from './link-transition.js';
import { readPermission } from './linking-permission.js';
import { clockOf } from './world-clock.js';
import { worldFactsOf } from './world-facts.js';
import { asJson } from './json-column.js';
import { endSession } from './end-session.js';
import { lockSession } from './lock-session.js';
import { showStep, withoutExtension } from './show-step.js';
import { lockLinkedSession, lockOpenSession, SessionOver } from './open-session.js';
import { openCredential } from './provider-credential.js';
import { refuseDuplicate } from './duplicate-link.js';
import { releaseLogin } from './release-permission.js';
import { openSecret, putSecret } from './session-secret.js';

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
  /** The login under way; null = none. */
  attemptKey: string | null;
  linkId: string;
  remoteId: string;
  provider: string;
  customerUserId: string;
  environment: Environment;
  requestedProducts: Product[];
  worldId: string;
  worldSeed?: string;
  worldTime?: Date | null;
  /** `custom_sandbox_data` of the session as it came. */
  sandboxData: Record<string, unknown> | null;
  /** Of an existing link: the `reference` of its permission, null when it has none. */
  relink: { reference: string | null } | null;
}

/** Where a session stands when all that was due is applied. */
export interface SessionDeadline {
  state: string;
  nextDeadline: Date | null;
  /** The link of the attempt under way; null = none. */
  link: { state: LinkState; error: LinkError | null } | null;
}

/** A step that a bank asked for, prepared by the activity that talked to it. */
export interface PreparedStep {
  content: StepContent;
  message: string | null;
  error: { code: string; text: string } | null;
  attemptsLeft: number | null;
  /** ISO 8601. */
  expiresAt: string | null;
  /** With a `wait` step: how often the bank wants to be asked. */
  pollAfterMs?: number | null;
}

/** Another login took the place of this one, or the user left it: what it brings has come too late. */
export class AttemptOver extends Error {
  constructor(readonly sessionId: string) {
    super(`the login in ${sessionId} is over`);
    this.name = 'AttemptOver';
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
   * at another institution in this session is given up. The link of a relink is not touched before its success. What an
   * earlier attempt still brings is not stored any more. Doing it twice is doing it once.
   * @throws TrialLimitReached, DuplicateInstitution
   */
  async beginLogin(sessionId: string, institutionId: string, attemptKey: string): Promise<BegunLogin> {
    const { ctx } = this;
    return ctx.database.transaction(async (tx) => {
      const session = await lockOpenSession(tx, sessionId);
      const earlier = session.linkPk === null ? null : await lockLink(tx, session.linkPk);
      const isRelink = session.mode === 'relink';
      await refuseDuplicate(tx, session, institutionId);
      const route = await bestRoute(tx, institutionId, session, isRelink ? (earlier?.provider ?? null) : null);
      // What a bank asked for in an attempt before is void; the way to its own pages is what the user sets out on.
      const isOnTheWay = (session.preparedStep as PreparedStep | null)?.content.kind === 'redirect';
      const begun = { institutionId, attemptKey, provider: route.provider, bankAccepted: false, grantedProducts: Prisma.DbNull, ...(isOnTheWay ? {} : { preparedStep: Prisma.DbNull }) };
      await releaseLogin(ctx, tx, sessionId);
      if (earlier !== null && earlier.institutionId === institutionId) {
        if (!isRelink) await transitionLink(ctx, tx, earlier.pk, { type: 'login_started', sameSessionAndInstitution: true });
        const provider = isRelink ? route.provider : earlier.provider;
        await tx.linkSession.update({ where: { sessionId }, data: { ...begun, provider } });
        return { linkId: earlier.linkId, provider, remoteId: route.remoteId, institutionId };
      }
      if (earlier !== null) await giveUp(this.ctx, tx, session);
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
        ...plaidFactsOf(session),
        products: supportedProducts(session.products as RequestedProducts, route.products),
      }, { type: 'login_started', sameSessionAndInstitution: true });
      await tx.linkSession.update({ where: { sessionId }, data: { ...begun, linkPk: link.pk } });
      return { linkId: link.linkId, provider: link.provider, remoteId: route.remoteId, institutionId };
    });
  }

  /**
   * At an institution with a login of its own pages the way there is offered, and nothing is begun yet; a link begun at
   * another institution in this session is given up. False for any other institution, where nothing changes. Source:
   * link-lifecycle 6.2, login_started. @throws DuplicateInstitution
   */
  async offerRedirect(sessionId: string, institutionId: string): Promise<boolean> {
    return this.ctx.database.transaction(async (tx) => {
      const institution = await tx.institution.findUnique({ where: { institutionId }, select: { login: true } });
      if (institution?.login !== 'oauth') return false;
      const session = await lockOpenSession(tx, sessionId);
      const earlier = session.linkPk === null ? null : await lockLink(tx, session.linkPk);
      await refuseDuplicate(tx, session, institutionId);
      const isElsewhere = earlier !== null && earlier.institutionId !== institutionId;
      if (isElsewhere) await giveUp(this.ctx, tx, session);
      await releaseLogin(this.ctx, tx, sessionId);
      const data = { institutionId, attemptKey: null, bankAccepted: false, grantedProducts: Prisma.DbNull, preparedStep: asJson(NOT_STARTED) };
      await tx.linkSession.update({ where: { sessionId }, data: isElsewhere ? { ...data, linkPk: null } : data });
      return true;
    });
  }

  /** What the provider has to be told to log in, or null when the session has no login under way. */
  async loginFacts(sessionId: string): Promise<LoginFacts | null> {
    const { prisma } = this.ctx.database;
    const session = await prisma.linkSession.findUnique({ where: { sessionId }, include: { link: { include: { products: true, credential: { select: { reference: true } } } }, customerUser: true } });
    if (session === null || session.link === null || session.state === 'ended') return null;
    const { link } = session;
    const provider = session.provider ?? link.provider;
    const route = await routeOf(prisma, link.institutionId, provider);
    if (route === null) return null;
    const wanted = new Set([...Object.keys(session.products as RequestedProducts), ...link.products.filter(({ granted }) => granted).map(({ product }) => product)]);
    return {
      attemptKey: session.attemptKey,
      linkId: link.linkId,
      remoteId: route.remoteId,
      provider,
      customerUserId: session.customerUser.userId,
      environment: session.environment as Environment,
      requestedProducts: PRODUCTS.filter((product) => wanted.has(product) && route.products.includes(product)),
      ...(await worldFactsOf(this.ctx, { appId: session.appId, worldId: session.worldId, environment: session.environment as Environment })),
      sandboxData: session.sandboxData as Record<string, unknown> | null,
      relink: session.mode === 'relink' ? { reference: link.credential?.reference ?? null } : null,
    };
  }

  /** Keeps the step a bank asks for, and the provider's own state sealed, until the workflow shows it. @throws AttemptOver */
  async storePreparedStep(sessionId: string, attemptKey: string, prepared: PreparedStep, providerState: Uint8Array): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      const session = await lockOpenSession(tx, sessionId);
      if (session.attemptKey !== attemptKey || session.bankAccepted) throw new AttemptOver(sessionId);
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
   * The bank accepted the login: what it gave is kept sealed until the user has answered the questions that follow,
   * which are told. Doing it twice is doing it once. Throws `SessionOver` when the user gave up meanwhile, `AttemptOver`
   * when another login is under way, and `ProviderFailure` when the session may take none of the accounts.
   */
  async storeLinked(sessionId: string, attemptKey: string, login: AcceptedLogin): Promise<LinkingQuestion[]> {
    const { ctx } = this;
    return ctx.database.transaction(async (tx) => {
      const session = await lockLinkedSession(tx, sessionId);
      if (session.attemptKey !== attemptKey) throw new AttemptOver(sessionId);
      const { state } = await lockLink(tx, session.linkPk);
      if (state === 'deleted' || (session.mode !== 'relink' && state !== 'connecting')) throw new SessionOver(sessionId);
      const { permission } = await readPermission(this.ctx, tx, session, login);
      if (eligibleAccounts(permission).length === 0) throw new ProviderFailure('no_eligible_accounts', FAILURE_MEANINGS.no_eligible_accounts.text);
      // What was typed on the way has served.
      await tx.sessionSecret.deleteMany({ where: { sessionId, kind: { in: ['answer', 'provider_state'] } } });
      await keepLogin(ctx, tx, sessionId, login, await clockOf(ctx, tx, session));
      await tx.linkSession.update({ where: { sessionId }, data: { bankAccepted: true, preparedStep: Prisma.DbNull } });
      return questionsOf(permission);
    });
  }

  /** The questions of a login that the bank accepted; empty when there is none. */
  async questions(sessionId: string): Promise<LinkingQuestion[]> {
    const permission = await this.permission(sessionId);
    return permission === null ? [] : questionsOf(permission);
  }

  /** What the step of a question shows; null = there is no accepted login any more. */
  async question(sessionId: string, question: LinkingQuestion): Promise<StepContent | null> {
    const permission = await this.permission(sessionId);
    if (permission === null) return null;
    if (question === 'select_accounts') return { kind: 'select_accounts', ...offerAccounts(permission) };
    const session = await this.ctx.database.prisma.linkSession.findUnique({ where: { sessionId }, select: { grantedProducts: true } });
    return { kind: 'consent', products: offerConsent(permission, (session?.grantedProducts ?? null) as Product[] | null) };
  }

  /**
   * The last question is answered: the bank's permission becomes part of the link, its state changes (linking_done or
   * relink_done), what is to be fetched is asked for, and the success step is shown, in one transaction.
   * Doing it twice is doing it once.
   */
  async finishLinking(sessionId: string, shown: ShownStep, answers: Partial<LinkingAnswers> = {}): Promise<void> {
    const { ctx } = this;
    await ctx.database.transaction(async (tx) => {
      const session = await lockLinkedSession(tx, sessionId);
      if (session.state !== 'succeeded') {
        const granted = answers.granted ?? (session.grantedProducts as Product[] | null);
        const done = await finishLinking(ctx, tx, session, { granted, refs: answers.refs ?? null }, { exchangeExpiresAt: this.exchangeDeadline() });
        if (!done) throw new SessionOver(sessionId);
        // connect 5, rule 3: a window whose resume was not answered asks again, perhaps only now.
        await tx.sessionSecret.deleteMany({ where: { sessionId, kind: { not: 'resume' } } });
      }
      await showStep(tx, session, shown, { state: 'succeeded' });
    });
  }

  /** login_failed: the attempt cannot go on; the link and the user are told why, in one transaction. */
  async failLogin(sessionId: string, cause: ProviderCause, shown: ShownStep): Promise<void> {
    await this.ctx.database.transaction(async (tx) => failLogin(this.ctx, tx, await lockOpenSession(tx, sessionId), cause, shown));
  }

  /**
   * The user left, or chose to begin elsewhere: the attempt ends, the session lives on and shows `shown`. After success
   * nothing changes. Source: connect 4 (exit), link-lifecycle 6.2 (given_up_before, given_up_after).
   */
  async exitAttempt(sessionId: string, shown: ShownStep): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      const session = await lockOpenSession(tx, sessionId);
      if (session.state === 'succeeded') return;
      await giveUp(this.ctx, tx, session);
      await releaseLogin(this.ctx, tx, sessionId);
      await tx.sessionSecret.deleteMany({ where: { sessionId } });
      await tx.oAuthState.deleteMany({ where: { sessionId } });
      // A relink stays at its institution.
      const institutionId = session.beganAs === 'relink' ? session.institutionId : null;
      await showStep(tx, session, shown, { ...withoutExtension(session), institutionId, attemptKey: null, bankAccepted: false, grantedProducts: Prisma.DbNull, preparedStep: Prisma.DbNull });
    });
  }

  /**
   * Applies every time limit of the session and of its link that is over, and says when to look again
   * (null = never: nothing can become due any more). Whoever calls, the columns decide.
   */
  async expireIfDue(sessionId: string): Promise<SessionDeadline> {
    const { ctx } = this;
    return ctx.database.transaction(async (tx) => {
      const session = await lockSession(tx, sessionId);
      if (session === null) return { state: 'ended', nextDeadline: null, link: null };
      const now = ctx.clock();
      const link = session.linkPk === null ? null : await lockLink(tx, session.linkPk);
      let state = session.state;
      if (state !== 'ended' && session.expiresAt <= now) {
        if (state !== 'succeeded') await giveUp(this.ctx, tx, session);
        await endSession(ctx, tx, sessionId, 'expired');
        state = 'ended';
      } else if (state === 'ended' && link?.state === 'connecting') {
        await giveUp(this.ctx, tx, session);
      }
      const awaiting = link?.state === 'awaiting_token_exchange' ? link : null;
      if (awaiting !== null && awaiting.exchangeExpiresAt !== null && awaiting.exchangeExpiresAt <= now) {
        await transitionLink(ctx, tx, awaiting.pk, { type: 'exchange_window_over' }, { errorMessage: 'The result of linking was never exchanged.', errorCause: 'exchange_window_over' });
        await endSession(ctx, tx, sessionId, 'exchange_window_over');
        return { state: 'ended', nextDeadline: null, link: await standingNow(tx, session) };
      }
      const open = [state === 'ended' ? null : session.expiresAt, awaiting?.exchangeExpiresAt ?? null].filter((at) => at !== null);
      return { state, nextDeadline: open.length === 0 ? null : new Date(Math.min(...open.map(Number))), link: await standingNow(tx, session) };
    });
  }

  /** An operator cancelled the workflow: the session ends now. */
  async cancelSession(sessionId: string): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      const session = await lockSession(tx, sessionId);
      if (session === null || session.state === 'ended') return;
      if (session.state !== 'succeeded') await giveUp(this.ctx, tx, session);
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
    const link = await prisma.link.findUnique({ where: { linkId } });
    const held = link === null ? null : await openCredential(this.ctx, prisma, link);
    if (link === null || held === null) return null;
    const route = await routeOf(prisma, link.institutionId, link.provider);
    return route === null ? null : { credential: Buffer.from(held.credential), provider: link.provider, remoteId: route.remoteId };
  }

  exchangeDeadline(): Date {
    return new Date(this.ctx.clock().getTime() + this.windows.exchangeWindowMs);
  }

  private async permission(sessionId: string): Promise<Permission | null> {
    const { prisma } = this.ctx.database;
    const session = await prisma.linkSession.findUnique({ where: { sessionId } });
    if (session === null || session.linkPk === null || !session.bankAccepted) return null;
    const login = await keptLogin(this.ctx, prisma, sessionId);
    return login === null ? null : (await readPermission(this.ctx, prisma, { ...session, linkPk: session.linkPk }, login)).permission;
  }
}

/** The way to the bank's own pages as long as nobody has gone it. It stays prepared while the user is there. */
const NOT_STARTED: PreparedStep = { content: { kind: 'redirect', started: false }, message: null, error: null, attemptsLeft: null, expiresAt: null };

async function standingNow(tx: Tx, { linkPk }: LinkSession): Promise<SessionDeadline['link']> {
  const link = linkPk === null ? null : await tx.link.findUnique({ where: { pk: linkPk }, select: { state: true, errorCode: true } });
  return link === null ? null : { state: link.state as LinkState, error: link.errorCode as LinkError | null };
}

/** Of the requested products those the institution carries, in the order of the contract. */
function supportedProducts(requested: RequestedProducts, supported: readonly string[]) {
  return PRODUCTS.flatMap((product, position) => {
    const settings = requested[product];
    return settings === undefined || !supported.includes(product) ? [] : [{ product, position, settings }];
  });
}

/** What the link of a session of the compatibility layer has from it. Source: plaid-compat 3.1, 6.1, 8.1. */
function plaidFactsOf({ plaid }: LinkSession) {
  if (plaid === null) return {};
  // Only LinkSessionRepository.create writes this column.
  const { institutionAlias, historyDays } = plaid as unknown as PlaidSession;
  return { webhookFormat: 'plaid' as const, institutionAlias, historyDays };
}
