import { isCancellation } from '@temporalio/workflow';
import type { LinkingActivities } from '../../activities/linking/linking-activities.js';
import type { SessionSnapshot, StartedLogin } from '../../activities/linking/session-state.js';
import type { BankAnswer } from '../../activities/linking/login-activities.js';
import type { BankLoginResult } from '../../activities/linking/bank-login-result.js';
import type { ConnectProblemId } from '../../domain/session/connect-problem.js';
import type { StepKind } from '../../domain/session/connect-step.js';
import type { LinkingQuestion } from '../../domain/session/linking-questions.js';
import type { ProviderCause } from '../../domain/errors/provider-failure.js';
import { endOfActivity } from '../provider-cause.js';
import type { ConnectSteps } from './connect-steps.js';
import * as bank from './bank-calls.js';
import { LoginFailover } from './login-failover.js';
import { PublishedLink } from './published-link.js';

/** connect 5, rule 6: attempts per step, unless the bank counts itself. */
const MAX_ATTEMPTS = 3;
/** How often a lost login is repeated, if its provider allows that. */
const MAX_LOST_LOGIN_REPEATS = 2;

/** `shown`: the user has a next step. `left`: the user or the session ended meanwhile. */
export type LoginEnd = 'linked' | 'shown' | 'left';

/** The login, from the choice of a bank to its permission. */
export class BankLogin {
  private login: StartedLogin | null;
  /** The chosen bank, even if its login could not be started. */
  private chosen: string | null;
  /** The last step the bank asked for. */
  private prepared: { kind: StepKind; canGoBack: boolean; attemptsLeft: number | null } | null =
    null;
  private wrongAnswers = 0;
  private readonly failover: LoginFailover;
  readonly published: PublishedLink;
  /** link-lifecycle 2.5: whether extending the existing link was offered or chosen. */
  private extension: 'offered' | 'chosen' | null;
  private separateLinkAt: string | null = null;
  /** Questions after the login; known once it is accepted. */
  private followingQuestions: readonly LinkingQuestion[];

  constructor(
    private readonly steps: ConnectSteps,
    private readonly linking: LinkingActivities,
    private readonly sessionId: string,
    private readonly snapshot: SessionSnapshot,
    /** A relink leaves its link untouched until it succeeds. */
    private readonly mode: 'link' | 'relink',
  ) {
    this.failover = new LoginFailover(linking, sessionId);
    this.published = new PublishedLink(steps.details);
    this.followingQuestions = snapshot.questions;
    this.login = snapshot.login;
    this.extension = snapshot.extension ?? null;
    this.chosen = snapshot.institutionId ?? snapshot.presetInstitutionId;
    steps.details.at({ institution: this.chosen, provider: snapshot.login?.provider ?? null });
    if (snapshot.preparedKind !== null)
      this.prepared = {
        kind: snapshot.preparedKind,
        canGoBack:
          (snapshot.preparedKind === 'redirect' || this.extension === 'offered') &&
          snapshot.mayChooseAnother,
        attemptsLeft: null,
      };
  }

  get institutionId(): string | null {
    return this.chosen;
  }

  /** The current step offers to extend the existing link. */
  get isOffering(): boolean {
    return this.extension === 'offered';
  }

  /** Success repairs or extends an existing link and issues no token. */
  get isRelink(): boolean {
    return this.mode === 'relink' || this.extension === 'chosen';
  }

  get questions(): readonly LinkingQuestion[] {
    return this.followingQuestions;
  }

  /** `isRetry`: after a failure, the login continues with what it received before that. */
  async begin(institutionId: string, { isRetry = false } = {}): Promise<LoginEnd> {
    this.chosen = institutionId;
    this.steps.details.at({ institution: institutionId }).failed(null);
    this.prepared = null;
    this.wrongAnswers = 0;
    this.failover.reset();
    const login = await this.linking.beginLogin({
      sessionId: this.sessionId,
      institutionId,
      seq: this.steps.current,
      ...(this.separateLinkAt === institutionId ? { separateLink: true } : {}),
      ...(isRetry ? { isRetry } : {}),
    });
    if ('extensionAt' in login) return this.offerExtension();
    if ('redirectTo' in login) return this.offerRedirect();
    if ('problem' in login) return this.refused(login.problem);
    return this.open(login);
  }

  private open(login: StartedLogin): Promise<LoginEnd> {
    this.prepared = null;
    this.started(login);
    return this.run(bank.openLogin(this.sessionId, login), {
      repeats: login.mayRepeat ? MAX_LOST_LOGIN_REPEATS : 0,
      mayReturn: this.snapshot.mayChooseAnother,
      mayFailOver: login.isResumed !== true,
    });
  }

  /**
   * link-lifecycle 2.5: starts the login after the user's decision. Offers again if the link can no
   * longer be extended.
   */
  async decideExtension(isExtended: boolean): Promise<LoginEnd> {
    const { chosen } = this;
    if (chosen === null) return this.showAgain({ interrupted: true });
    this.extension = null;
    if (!isExtended) {
      this.separateLinkAt = chosen;
      return this.begin(chosen);
    }
    const link = await this.linking.extendLink(this.sessionId);
    if (link !== null) {
      this.extension = 'chosen';
      this.published.publishExtension(link);
    }
    return this.begin(chosen);
  }

  /** connect 7, step 1: the user leaves for the bank's own pages. */
  async startRedirect(way: string): Promise<LoginEnd> {
    if (this.chosen === null) return this.showAgain({ interrupted: true });
    // After an earlier redirect of this login the user may have been at the bank.
    const isFirst = this.login === null;
    const login = await this.linking.beginRedirectLogin({
      sessionId: this.sessionId,
      institutionId: this.chosen,
      seq: this.steps.current,
    });
    if ('problem' in login) return this.refused(login.problem);
    this.started(login);
    return this.run(bank.startRedirect(this.sessionId, login, way), {
      repeats: login.mayRepeat ? MAX_LOST_LOGIN_REPEATS : 0,
      mayReturn: true,
      mayFailOver: isFirst,
    });
  }

  /**
   * connect 7, step 6: a window returned with the user's callback URL. The code in it works once.
   */
  async completeRedirect(way: string): Promise<LoginEnd> {
    const { login } = this;
    if (login === null) return this.showAgain({ interrupted: true });
    const call = bank.completeRedirect(this.sessionId, login, way);
    return this.run(call, { repeats: 0, mayReturn: true });
  }

  async submitAnswer(answer: BankAnswer['answer']): Promise<LoginEnd> {
    const { login, prepared } = this;
    if (login === null || prepared === null) return this.showAgain({ interrupted: true });
    const attempts = prepared.attemptsLeft ?? MAX_ATTEMPTS - this.wrongAnswers;
    const attemptsLeft = bank.isResend(answer) ? attempts : Math.max(0, attempts - 1);
    const call = bank.submitAnswer(this.sessionId, login, prepared.kind, { answer, attemptsLeft });
    return this.run(call, {
      repeats: 0,
      mayReturn: true,
      isResend: bank.isResend(answer),
    });
  }

  /** Waits while the user does something elsewhere. */
  async awaitBank(): Promise<LoginEnd> {
    const { login } = this;
    if (login === null) return this.showAgain({ interrupted: true });
    return this.run(bank.pollBank(this.sessionId, login), {
      repeats: MAX_LOST_LOGIN_REPEATS,
      mayReturn: true,
    });
  }

  /** connect 5, rule 7. */
  timeOut(): Promise<LoginEnd> {
    return this.fail('institution_timeout');
  }

  /** The user abandoned the attempt: drops everything that belongs to it. */
  reset(): void {
    this.resetExtension();
    this.chosen = this.snapshot.presetInstitutionId;
    this.steps.details.at({ institution: this.chosen }).failed(null);
    this.login = null;
    this.prepared = null;
    this.followingQuestions = [];
  }

  /**
   * Shows the bank's last step again, or the choice of a bank if there is none. connect 5, rules 11
   * and 12.
   */
  async showAgain({ interrupted }: { interrupted: boolean }): Promise<LoginEnd> {
    const { prepared } = this;
    if (prepared !== null) {
      await this.steps.showWith(prepared, (showing) =>
        this.linking.showPreparedStep({ ...showing, canGoBack: prepared.canGoBack, interrupted }),
      );
    } else if (this.snapshot.mayChooseAnother) {
      this.resetExtension();
      await this.steps.show(
        { kind: 'select_institution' },
        interrupted
          ? { code: 'interrupted', text: 'This was interrupted. Please try again.' }
          : null,
      );
    } else {
      await this.showProblem('connect_error.internal');
    }
    return 'shown';
  }

  async showProblem(problem: ConnectProblemId): Promise<void> {
    await this.steps.showWith({ kind: 'error' }, (showing) =>
      this.linking.showProblem({ ...showing, problem }),
    );
  }

  /** No login was started, so there is none to return to. */
  private async refused(problem: ConnectProblemId): Promise<LoginEnd> {
    this.login = null;
    this.prepared = null;
    await this.showProblem(problem);
    return 'shown';
  }

  private started(login: StartedLogin): void {
    this.login = login;
    this.published.publishLogin(login, { isRelink: this.isRelink });
  }

  /**
   * No bank is chosen any more: drops the decision about an existing link, which is no longer part
   * of this session.
   */
  private resetExtension(): void {
    if (this.extension === 'chosen') this.published.clear();
    this.extension = null;
    this.separateLinkAt = null;
  }

  /** Precedes the login; nothing has started yet. */
  private offerExtension(): Promise<LoginEnd> {
    this.login = null;
    this.extension = 'offered';
    this.prepared = {
      kind: 'choice',
      canGoBack: this.snapshot.mayChooseAnother,
      attemptsLeft: null,
    };
    return this.showAgain({ interrupted: false });
  }

  /** The redirect is the first step; nothing has started yet. */
  private offerRedirect(): Promise<LoginEnd> {
    this.login = null;
    this.prepared = {
      kind: 'redirect',
      canGoBack: this.snapshot.mayChooseAnother,
      attemptsLeft: null,
    };
    return this.showAgain({ interrupted: false });
  }

  private async run(call: bank.BankCall, options: bank.RunOptions): Promise<LoginEnd> {
    const { interruption, result } = await this.steps.interruptible(call, options);
    if (interruption === 'exit' || interruption === 'over') return 'left';
    if (result.status === 'fulfilled') return this.proceed(result.value, options);
    if (interruption === 'cancel' && isCancellation(result.reason)) return this.restart();
    if (interruption === 'stepTimeOver' && isCancellation(result.reason)) return this.timeOut();
    const end = endOfActivity(result.reason);
    if (end.kind === 'failed') {
      const login = options.mayFailOver === true ? this.login : null;
      const next = login && (await this.failover.next(end.cause, login, this.steps.current));
      if (next === null) return this.fail(end.cause);
      return 'redirectTo' in next ? this.offerRedirect() : this.open(next);
    }
    // The worker died during the call. It may already have stored the permission, and a code must
    // not be sent twice.
    const snapshot = await this.linking.loadSession(this.sessionId);
    if (snapshot?.bankAccepted === true) return this.linked(snapshot.questions);
    if (options.repeats > 0) return this.run(call, { ...options, repeats: options.repeats - 1 });
    // The bank will not accept the same token or code again, but what it opened is kept.
    if (snapshot?.hasGrant === true && interruption === null && this.chosen !== null)
      return this.login?.isResumed === true
        ? this.fail('internal')
        : this.begin(this.chosen, { isRetry: true });
    return this.showAgain({ interrupted: true });
  }

  /**
   * connect 5, rule 11: the user canceled a wait and returns to the login. The bank's last step is
   * void.
   */
  private async restart(): Promise<LoginEnd> {
    const { prepared, chosen } = this;
    if (prepared === null || prepared.kind === 'redirect' || chosen === null)
      return this.showAgain({ interrupted: false });
    return this.begin(chosen);
  }

  private linked(questions: readonly LinkingQuestion[]): 'linked' {
    this.prepared = null;
    this.followingQuestions = questions;
    return 'linked';
  }

  private async proceed(
    result: BankLoginResult,
    { isResend = false }: bank.RunOptions,
  ): Promise<LoginEnd> {
    if (result.kind === 'linked') return this.linked(result.questions);
    if (result.kind === 'away') return this.showStartedRedirect(result);
    const { step, refused, attemptsLeft, expiresInMs } = result;
    if (refused && attemptsLeft !== null && attemptsLeft <= 0)
      return this.fail(this.prepared?.kind === 'form' ? 'invalid_credentials' : 'mfa_failed');
    // A resent code grants no further attempts.
    if (!isResend) this.wrongAnswers = refused ? this.wrongAnswers + 1 : 0;
    const isFirst = this.prepared === null || (refused && this.prepared.canGoBack);
    const canGoBack = isFirst && this.snapshot.mayChooseAnother;
    this.prepared = { kind: step, canGoBack, attemptsLeft };
    const isWait = step === 'wait';
    await this.steps.showWith(
      { kind: step, can_cancel: isWait },
      (showing) => this.linking.showPreparedStep({ ...showing, canGoBack, interrupted: false }),
      { expiresInMs },
    );
    return isWait ? this.awaitBank() : 'shown';
  }

  private async showStartedRedirect({
    way,
    expiresInMs,
  }: Extract<BankLoginResult, { kind: 'away' }>): Promise<LoginEnd> {
    const canGoBack = this.prepared?.canGoBack ?? false;
    await this.steps.showWith(
      { kind: 'redirect' },
      (showing) => this.linking.showStartedRedirect({ ...showing, canGoBack, way }),
      { expiresInMs },
    );
    return 'shown';
  }

  private async fail(cause: ProviderCause): Promise<LoginEnd> {
    await this.steps.showWith({ kind: 'error' }, (showing) =>
      this.linking.failLogin({ ...showing, cause }),
    );
    this.steps.details.failed(cause);
    if (!this.isRelink) this.published.publishFailure(cause);
    return 'shown';
  }
}
