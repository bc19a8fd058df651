import { SessionOver } from '../../../domain/errors/change-refused.js';
import type { StepContent } from '../../../domain/session/connect-step.js';
import {
  offerAccounts,
  offerConsent,
  questionsOf,
  type LinkingQuestion,
  type Permission,
} from '../../../domain/session/linking-questions.js';
import type { Product } from '../../../domain/link/products.js';
import { ordinarySource, type SourceFactsOf } from '../../../domain/refresh/source-facts.js';
import type { Context } from '../../base/context.js';
import { keptLogin } from '../../sources/permissions/accepted-login.js';
import type { Tx } from '../../base/database/tx.js';
import type { LinkSession } from '../../generated/client.js';
import { lockLink } from '../../links/link/link-transition.js';
import { awaitsConfirmation, keepResult } from './confirmation.js';
import { deliverResult } from './deliver-result.js';
import { refuseDuplicate } from './duplicate-link.js';
import { finishLinking, type LinkingAnswers } from './finish-linking.js';
import { readPermission } from './linking-permission.js';
import { lockLinkedSession } from '../../links/sessions/lock-open-session.js';
import { showStep, type ShownStep } from '../../links/sessions/show-step.js';

/** The questions after the login, and the end of linking after the answers. */
export class LinkingQuestionRepository {
  constructor(
    private readonly ctx: Context,
    private readonly windows: { exchangeWindowMs: number },
    private readonly sources?: SourceFactsOf,
  ) {}

  /** The questions of a login that the bank accepted; empty when there is no such login. */
  async questions(sessionId: string): Promise<LinkingQuestion[]> {
    const permission = await this.permission(sessionId);
    return permission === null ? [] : questionsOf(permission);
  }

  /** The step of a question; null = the session no longer has an accepted login. */
  async question(sessionId: string, question: LinkingQuestion): Promise<StepContent | null> {
    const permission = await this.permission(sessionId);
    if (permission === null) return null;
    if (question === 'select_accounts')
      return { kind: 'select_accounts', ...offerAccounts(permission) };
    const session = await this.ctx.database.prisma.linkSession.findUnique({
      where: { sessionId },
      select: { grantedProducts: true },
    });
    return {
      kind: 'consent',
      products: offerConsent(permission, (session?.grantedProducts ?? null) as Product[] | null),
    };
  }

  /**
   * The last question is answered: completes linking (linking_done or relink_done) and shows the
   * success step, in one transaction. A result that the app has to confirm does not change a link
   * yet: login and answers are kept as long as an exchange may take. Idempotent.
   */
  async finishLinking(
    sessionId: string,
    shown: ShownStep,
    answers: Partial<LinkingAnswers> = {},
  ): Promise<void> {
    const { ctx } = this;
    await ctx.database.transaction(async (tx) => {
      const session = await lockLinkedSession(tx, sessionId);
      const exchangeExpiresAt = new Date(ctx.clock().getTime() + this.windows.exchangeWindowMs);
      const mustBeConfirmed = awaitsConfirmation(session);
      if (session.state !== 'succeeded') {
        const given = {
          granted: answers.granted ?? (session.grantedProducts as Product[] | null),
          refs: answers.refs ?? null,
        };
        if (mustBeConfirmed) await this.awaitConfirmation(tx, session, given);
        else await this.complete(tx, session, given, exchangeExpiresAt);
      }
      await showStep(tx, session, shown, {
        state: 'succeeded',
        ...(mustBeConfirmed && session.state !== 'succeeded'
          ? { expiresAt: exchangeExpiresAt }
          : {}),
      });
    });
  }

  private async complete(
    tx: Tx,
    session: LinkSession & { linkPk: bigint },
    answers: LinkingAnswers,
    exchangeExpiresAt: Date,
  ): Promise<void> {
    const { ctx, sources } = this;
    const { sessionId } = session;
    if (!(await finishLinking(ctx, tx, session, answers, { exchangeExpiresAt, sources })))
      throw new SessionOver(sessionId);
    await deliverResult(ctx, tx, session, exchangeExpiresAt);
    // connect 5, rule 3: a window whose resume got no response repeats it, perhaps only now.
    await tx.sessionSecret.deleteMany({ where: { sessionId, kind: { not: 'resume' } } });
  }

  private async awaitConfirmation(
    tx: Tx,
    session: LinkSession & { linkPk: bigint },
    answers: LinkingAnswers,
  ): Promise<void> {
    const { ctx, sources = ordinarySource } = this;
    const { sessionId } = session;
    if ((await keptLogin(ctx, tx, sessionId)) === null) throw new SessionOver(sessionId);
    const link = await lockLink(tx, session.linkPk);
    await refuseDuplicate(tx, session, link.institutionId);
    const { historyFirst } = sources(session.provider ?? link.provider);
    await keepResult(ctx, tx, sessionId, { ...answers, historyFirst });
  }

  private async permission(sessionId: string): Promise<Permission | null> {
    const { prisma } = this.ctx.database;
    const session = await prisma.linkSession.findUnique({ where: { sessionId } });
    if (session === null || session.linkPk === null || !session.bankAccepted) return null;
    const login = await keptLogin(this.ctx, prisma, sessionId);
    return login === null
      ? null
      : (await readPermission(this.ctx, prisma, { ...session, linkPk: session.linkPk }, login))
          .permission;
  }
}
