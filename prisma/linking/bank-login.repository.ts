import type { Environment } from '../../domain/api/environment.js';
import { FAILURE_MEANINGS } from '../../domain/errors/failure-mapping.js';
import {
  eligibleAccounts,
  questionsOf,
  type LinkingQuestion,
} from '../../domain/session/linking-questions.js';
import { PRODUCTS, type Product, type RequestedProducts } from '../../domain/link/products.js';
import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import type { Context } from '../context.js';
import { Prisma } from '../generated/client.js';
import { keepLogin, type AcceptedLogin } from '../permissions/accepted-login.js';
import { routeOf } from '../institutions/institution-route.js';
import { asJson } from '../database/json-column.js';
import { lockLink } from '../links/link-transition.js';
import { readPermission } from './linking-permission.js';
import { lockLinkedSession, lockOpenSession, SessionOver } from '../sessions/lock-open-session.js';
import type { PreparedStep } from './prepared-step.js';
import { openSecret, putSecret } from '../sealing/session-secret.js';
import { clockOf } from '../worlds/world-clock.js';
import { worldFactsOf } from '../worlds/world-facts.js';

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
  /** Of an existing link: the `reference` of its permission, null when it has none, and what is granted already. */
  relink: { reference: string | null; products: Product[] } | null;
}

/** Another login took the place of this one, or the user left it: what it brings has come too late. */
export class AttemptOver extends Error {
  constructor(readonly sessionId: string) {
    super(`the login in ${sessionId} is over`);
    this.name = 'AttemptOver';
  }
}

/** What passes between a bank and the session during a login. */
export class BankLoginRepository {
  constructor(private readonly ctx: Context) {}

  /** What the provider has to be told to log in, or null when the session has no login under way. */
  async loginFacts(sessionId: string): Promise<LoginFacts | null> {
    const { prisma } = this.ctx.database;
    const session = await prisma.linkSession.findUnique({
      where: { sessionId },
      include: {
        link: { include: { products: true, credential: { select: { reference: true } } } },
        customerUser: true,
      },
    });
    if (session === null || session.link === null || session.state === 'ended') return null;
    const { link } = session;
    const provider = session.provider ?? link.provider;
    const route = await routeOf(prisma, link.institutionId, provider);
    if (route === null) return null;
    const granted = PRODUCTS.filter((product) =>
      link.products.some((row) => row.product === product && row.granted),
    );
    const wanted = new Set([...Object.keys(session.products as RequestedProducts), ...granted]);
    return {
      attemptKey: session.attemptKey,
      linkId: link.linkId,
      remoteId: route.remoteId,
      provider,
      customerUserId: session.customerUser.userId,
      environment: session.environment as Environment,
      requestedProducts: PRODUCTS.filter(
        (product) => wanted.has(product) && route.products.includes(product),
      ),
      ...(await worldFactsOf(this.ctx, {
        appId: session.appId,
        worldId: session.worldId,
        environment: session.environment as Environment,
      })),
      sandboxData: session.sandboxData as Record<string, unknown> | null,
      relink:
        session.mode === 'relink'
          ? { reference: link.credential?.reference ?? null, products: granted }
          : null,
    };
  }

  /** Keeps the step a bank asks for, and the provider's own state sealed, until the workflow shows it. @throws AttemptOver */
  async storePreparedStep(
    sessionId: string,
    attemptKey: string,
    prepared: PreparedStep,
    providerState: Uint8Array,
  ): Promise<void> {
    await this.ctx.database.transaction(async (tx) => {
      const session = await lockOpenSession(tx, sessionId);
      if (session.attemptKey !== attemptKey || session.bankAccepted)
        throw new AttemptOver(sessionId);
      await putSecret(this.ctx, tx, sessionId, 'provider_state', '', providerState);
      await tx.linkSession.update({
        where: { sessionId },
        data: { preparedStep: asJson(prepared) },
      });
    });
  }

  async preparedStep(sessionId: string): Promise<PreparedStep | null> {
    const row = await this.ctx.database.prisma.linkSession.findUnique({
      where: { sessionId },
      select: { preparedStep: true },
    });
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
  async storeLinked(
    sessionId: string,
    attemptKey: string,
    login: AcceptedLogin,
  ): Promise<LinkingQuestion[]> {
    const { ctx } = this;
    return ctx.database.transaction(async (tx) => {
      const session = await lockLinkedSession(tx, sessionId);
      if (session.attemptKey !== attemptKey) throw new AttemptOver(sessionId);
      const { state } = await lockLink(tx, session.linkPk);
      if (state === 'deleted' || (session.mode !== 'relink' && state !== 'connecting'))
        throw new SessionOver(sessionId);
      const { permission } = await readPermission(ctx, tx, session, login);
      if (eligibleAccounts(permission).length === 0)
        throw new ProviderFailure(
          'no_eligible_accounts',
          FAILURE_MEANINGS.no_eligible_accounts.text,
        );
      // What was typed on the way has served.
      await tx.sessionSecret.deleteMany({
        where: { sessionId, kind: { in: ['answer', 'provider_state'] } },
      });
      await keepLogin(ctx, tx, sessionId, login, await clockOf(ctx, tx, session));
      await tx.linkSession.update({
        where: { sessionId },
        data: { bankAccepted: true, preparedStep: Prisma.DbNull },
      });
      return questionsOf(permission);
    });
  }
}
