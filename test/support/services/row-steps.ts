import { Decimal } from 'decimal.js';
import type {
  MessageOutcome,
  SessionWorkflows,
} from '../../../apps/api/src/connect/session/session-workflows.js';
import { makeErrorStep } from '../../../domain/session/connect-problem.js';
import { makeStep } from '../../../domain/session/connect-step.js';
import { TrialLimitReached } from '../../../domain/link/trial-limit.js';
import type { Context } from '../../../prisma/base/context.js';
import { LinkSessionRepository } from '../../../prisma/links/sessions/link-session.repository.js';
import type { SessionRecord } from '../../../prisma/links/sessions/session-record.js';
import { BankLoginRepository } from '../../../prisma/work/linking/bank-login.repository.js';
import { LinkingQuestionRepository } from '../../../prisma/work/linking/linking-question.repository.js';
import { LoginAttemptRepository } from '../../../prisma/work/linking/login-attempt.repository.js';
import { LoginRepository } from '../../../prisma/work/linking/login.repository.js';
import { OAuthStateRepository } from '../../../prisma/links/sessions/oauth-state.repository.js';
import type { StepSubmission } from '../../../workflows/session/session.contract.js';

export const OAUTH_BANK = 'sandbox-oauth-bank';

/**
 * Stands in for the session workflows: makes their changes to the rows at once, so that HTTP can
 * be tested alone.
 */
export class RowSteps implements SessionWorkflows {
  readonly outcomes = new Map<string, MessageOutcome>();
  /** The refusal of the next submission, if any. */
  next: MessageOutcome | null = null;
  received: StepSubmission[] = [];
  readonly sessions: LinkSessionRepository;
  readonly logins: LoginRepository;
  readonly bankLogins: BankLoginRepository;
  readonly questions: LinkingQuestionRepository;
  readonly attempts: LoginAttemptRepository;
  readonly redirects: OAuthStateRepository;

  constructor(private readonly ctx: Context) {
    this.sessions = new LinkSessionRepository(ctx, {
      unopenedMs: 1_800_000,
      idleMs: 1_800_000,
      totalMs: 3_600_000,
    });
    this.logins = new LoginRepository(ctx);
    this.bankLogins = new BankLoginRepository(ctx);
    this.questions = new LinkingQuestionRepository(ctx, { exchangeWindowMs: 1_800_000 });
    this.attempts = new LoginAttemptRepository(ctx);
    this.redirects = new OAuthStateRepository(ctx, { ttlMs: 900_000 });
  }

  async open(session: SessionRecord): Promise<MessageOutcome> {
    if (session.seq === 0)
      await this.sessions.projectStep(session.sessionId, {
        seq: 1,
        step: makeStep(1, { kind: 'select_institution' }),
        accepted: false,
      });
    return { kind: 'done' };
  }

  async submit(session: SessionRecord, submission: StepSubmission): Promise<MessageOutcome> {
    const { next } = this;
    this.next = null;
    this.received.push(submission);
    if (next !== null) return next;
    await this.follow(session.sessionId, submission.input, submission.seq + 1);
    this.outcomes.set(submission.requestId, { kind: 'done' });
    return { kind: 'done' };
  }

  async exit(session: SessionRecord): Promise<MessageOutcome> {
    const seq = session.seq + 1;
    await this.attempts.exitAttempt(session.sessionId, {
      seq,
      step: makeStep(seq, { kind: 'select_institution' }),
    });
    return { kind: 'done' };
  }

  async outcomeOf(_session: SessionRecord, requestId: string): Promise<MessageOutcome | null> {
    return this.outcomes.get(requestId) ?? null;
  }

  /** Shows any step, as a bank might request it. */
  async show(
    sessionId: string,
    seq: number,
    content: Parameters<typeof makeStep>[1],
    base: Parameters<typeof makeStep>[2] = {},
  ): Promise<void> {
    await this.sessions.projectStep(sessionId, {
      seq,
      step: makeStep(seq, content, base),
      accepted: false,
    });
  }

  private async follow(
    sessionId: string,
    input: StepSubmission['input'],
    seq: number,
  ): Promise<void> {
    if (input.kind === 'select_institution') {
      if (await this.logins.offerRedirect(sessionId, input.institution_id))
        return this.show(sessionId, seq, { kind: 'redirect', started: false });
      return this.link(sessionId, input.institution_id, seq);
    }
    if (input.kind === 'redirect_start') return this.startAttempt(sessionId, input.redirectId, seq);
    if (input.kind !== 'redirect_return') return;
    await this.redirects.redeem(sessionId, input.redirectId);
    return this.link(sessionId, OAUTH_BANK, seq);
  }

  private async startAttempt(sessionId: string, redirectId: string, seq: number): Promise<void> {
    await this.logins.beginLogin(sessionId, OAUTH_BANK, `${sessionId}/${seq}`);
    const secrets = this.redirects.makeSecrets();
    const expiresAt = new Date(this.ctx.clock().getTime() + 900_000);
    const authorizeUrl = `https://bank.example/authorize?state=${secrets.state}`;
    await this.redirects.keep(sessionId, redirectId, {
      ...secrets,
      attemptKey: `${sessionId}/${seq}`,
      authorizeUrl,
      issuer: 'https://bank.example',
      returns: 'code_or_error' as const,
      expiresAt,
      providerState: Buffer.from('verifier'),
    });
    await this.show(sessionId, seq, { kind: 'redirect', started: true });
  }

  private async link(sessionId: string, institutionId: string, seq: number): Promise<void> {
    try {
      await this.logins.beginLogin(sessionId, institutionId, `${sessionId}/${seq}`);
    } catch (error) {
      if (!(error instanceof TrialLimitReached)) throw error;
      return this.show(
        sessionId,
        seq,
        makeErrorStep('connect_error.trial_limit_reached', {
          mayChooseAnother: true,
          institutionUrl: null,
        }),
      );
    }
    const account = {
      accountType: 'depository.checking',
      currency: 'USD',
      available: new Decimal('2210.52'),
      current: new Decimal('2350.00'),
      limit: null,
      balanceDate: null,
    };
    await this.bankLogins.storeLinked(sessionId, `${sessionId}/${seq}`, {
      credential: Buffer.from('canary-credential'),
      reference: 'conn_1',
      consent: 'given_at_bank',
      accounts: [
        { ...account, providerAccountId: 'checking', name: 'Everyday Checking', mask: '1101' },
        {
          ...account,
          providerAccountId: 'savings',
          accountType: 'depository.savings',
          name: 'Rainy Day Savings',
          mask: '2202',
        },
      ],
    });
    await this.questions.finishLinking(sessionId, {
      seq,
      step: makeStep(seq, { kind: 'success' }),
    });
  }
}
