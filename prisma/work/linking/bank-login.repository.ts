import type { FactsByAccount } from '../../../domain/accounts/account-facts.js';
import { AttemptOver, SessionOver } from '../../../domain/errors/change-refused.js';
import type { Environment } from '../../../domain/api/environment.js';
import { FAILURE_MEANINGS } from '../../../domain/errors/failure-mapping.js';
import {
  eligibleAccounts,
  questionsOf,
  type LinkingQuestion,
} from '../../../domain/session/linking-questions.js';
import { PRODUCTS, type Product, type RequestedProducts } from '../../../domain/link/products.js';
import { phaseWaiting, type RowPhase } from '../../../domain/session/session-phase.js';
import type { EndUser } from '../../../domain/session/end-user.js';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import type { Context } from '../../base/context.js';
import { Prisma } from '../../generated/client.js';
import { openCredential } from '../../sources/permissions/provider-credential.js';
import { keepLogin, type AcceptedLogin } from '../../sources/permissions/accepted-login.js';
import { routeOf } from '../../sources/institutions/institution-route.js';
import { asJson } from '../../base/database/json-column.js';
import { mayBeLinked } from './may-be-linked.js';
import { linkOtherInstitution } from './link-other-institution.js';
import { accountFactsOf } from '../../links/accounts/read-account-facts.js';
import { lockLink } from '../../links/link/link-transition.js';
import { readPermission } from './linking-permission.js';
import { lockLinkedSession, lockOpenSession } from '../../links/sessions/lock-open-session.js';
import { phaseOf } from '../../links/sessions/show-step.js';
import type { PreparedStep } from './prepared-step.js';
import { END_USER, openSecret, putSecret } from '../../base/sealing/session-secret.js';
import { clockOf } from '../../worlds/world-clock.js';
import { worldFactsOf } from '../../worlds/world-facts.js';

/** The facts about a session that a provider needs. They never enter a workflow. */
export interface LoginFacts {
  /** The current login; null = none. */
  attemptKey: string | null;
  linkId: string;
  remoteId: string;
  provider: string;
  customerUserId: string;
  appId: string;
  appName: string;
  /** The country of the institution: ISO 3166-1 alpha-2. */
  country: string;
  environment: Environment;
  requestedProducts: Product[];
  worldId: string;
  worldSeed?: string;
  worldTime?: Date | null;
  /** `custom_sandbox_data` of the session. */
  sandboxData: Record<string, unknown> | null;
  /** The permission of an existing link; see `LoginContext.relink`. */
  relink: {
    reference: string | null;
    products: Product[];
    existing?: { reference: string; credential: Uint8Array } | null;
    accountFacts?: FactsByAccount;
  } | null;
  endUser: EndUser | null;
}

/** The exchange between a bank and a session during a login. */
export class BankLoginRepository {
  constructor(private readonly ctx: Context) {}

  /** The facts for a login, or null when the session has no current login. */
  async loginFacts(sessionId: string): Promise<LoginFacts | null> {
    const { prisma } = this.ctx.database;
    const session = await prisma.linkSession.findUnique({
      where: { sessionId },
      include: {
        link: { include: { products: true, credential: { select: { reference: true } } } },
        customerUser: true,
        client: { select: { application: { select: { name: true } } } },
      },
    });
    if (session === null || session.link === null || session.state === 'ended') return null;
    const { link } = session;
    const provider = session.provider ?? link.provider;
    const route = await routeOf(prisma, link.institutionId, provider);
    if (route === null) return null;
    const { country } = await prisma.institution.findUniqueOrThrow({
      where: { institutionId: link.institutionId },
      select: { country: true },
    });
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
      appId: session.appId,
      appName: session.client.application.name,
      country,
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
          ? {
              reference: link.credential?.reference ?? null,
              products: granted,
              existing: await this.permissionToRenew(link, provider),
              accountFacts: (await accountFactsOf(this.ctx, link)).facts,
            }
          : null,
      endUser: await this.endUserOf(sessionId),
    };
  }

  private async endUserOf(sessionId: string): Promise<EndUser | null> {
    const sealed = await openSecret(this.ctx, this.ctx.database.prisma, sessionId, END_USER, '');
    // Only LinkSessionRepository.noteEndUser seals this value.
    return sealed === null ? null : (JSON.parse(sealed.toString('utf8')) as EndUser);
  }

  /** The permission of a link, if it belongs to this provider. */
  private async permissionToRenew(
    link: { pk: bigint; linkId: string },
    provider: string,
  ): Promise<{ reference: string; credential: Uint8Array } | null> {
    const held = await openCredential(this.ctx, this.ctx.database.prisma, link);
    if (held === null || held.provider !== provider) return null;
    return { reference: held.reference, credential: held.credential };
  }

  /** Whether a login avoids a route that failed before it in the session. */
  async isElsewhere(sessionId: string, attemptKey: string): Promise<boolean> {
    const decision = await this.ctx.database.prisma.routeDecision.findUnique({
      where: { sessionId_attemptKey: { sessionId, attemptKey } },
      select: { why: true },
    });
    return decision?.why === 'failover';
  }

  /**
   * Stores a step that the bank requests until the workflow shows it, with the provider's sealed
   * state. @throws AttemptOver
   */
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
        data: {
          preparedStep: asJson(prepared),
          // Behind a `wait`, the phase is that of the next step.
          ...(session.phase === 'callingBank' || session.phase === 'waitingAtBank'
            ? { phase: phaseWaiting({ ...phaseOf(session), prepared: prepared.content.kind }) }
            : {}),
        },
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
   * The bank accepted the login: seals its result until the user has answered the following
   * questions, and returns those. Idempotent. Throws `SessionOver` when the user has left,
   * `AttemptOver` when another login is current, and `ProviderFailure` when the session may use
   * none of the accounts.
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
      const link = await lockLink(tx, session.linkPk);
      if (!mayBeLinked(session, link)) throw new SessionOver(sessionId);
      if (login.institution) await linkOtherInstitution(tx, session, login.institution);
      const { permission } = await readPermission(ctx, tx, session, login);
      if (eligibleAccounts(permission).length === 0)
        throw new ProviderFailure(
          'no_eligible_accounts',
          FAILURE_MEANINGS.no_eligible_accounts.text,
        );
      // The answers of the login are no longer needed.
      await tx.sessionSecret.deleteMany({
        where: { sessionId, kind: { in: ['answer', 'provider_state'] } },
      });
      const provider = session.provider ?? link.provider;
      await keepLogin(
        ctx,
        tx,
        sessionId,
        { ...login, provider, linkPk: link.pk },
        await clockOf(ctx, tx, session),
      );
      await tx.linkSession.update({
        where: { sessionId },
        data: {
          bankAccepted: true,
          phase: 'asking' satisfies RowPhase,
          preparedStep: Prisma.DbNull,
        },
      });
      return questionsOf(permission);
    });
  }
}
