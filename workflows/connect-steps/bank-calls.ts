import type { BankLoginResult } from '../../activities/linking/bank-login-result.js';
import type { BankAnswer } from '../../activities/linking/login-activities.js';
import type { StartedLogin } from '../../activities/linking/session-state.js';
import type { StepKind } from '../../domain/session/connect-step.js';
import { bankOf, pollingBankOf } from './linking-steps.js';

/** A call of a login at its bank, which can be repeated when its outcome is lost. */
export type BankCall = () => Promise<BankLoginResult>;

/** How a call is made and repeated. */
export interface RunOptions {
  /** How often a lost call is repeated. */
  repeats: number;
  mayReturn: boolean;
  isResend?: boolean;
  /** The first call of a login, before the user did anything at the bank: another provider may be tried. */
  mayFailOver?: boolean;
}

export function openLogin(sessionId: string, login: StartedLogin): BankCall {
  const bank = bankOf(login.provider, `log in at ${login.institutionId}`);
  return () => bank.openBankLogin(attemptOf(sessionId, login));
}

export function startRedirect(sessionId: string, login: StartedLogin, way: string): BankCall {
  const bank = bankOf(login.provider, `start a redirect to ${login.institutionId}`);
  return () => bank.startBankRedirect({ ...attemptOf(sessionId, login), way });
}

export function completeRedirect(sessionId: string, login: StartedLogin, way: string): BankCall {
  const bank = bankOf(login.provider, `complete the redirect from ${login.institutionId}`);
  return () => bank.completeBankRedirect({ ...attemptOf(sessionId, login), way });
}

export function submitAnswer(
  sessionId: string,
  login: StartedLogin,
  stepKind: StepKind,
  answer: Pick<BankAnswer, 'answer' | 'attemptsLeft'>,
): BankCall {
  const bank = bankOf(login.provider, `answer ${stepKind} at ${login.institutionId}`);
  return () => bank.answerBankStep({ ...attemptOf(sessionId, login), ...answer });
}

export function pollBank(sessionId: string, login: StartedLogin): BankCall {
  const bank = pollingBankOf(login.provider, `wait for ${login.institutionId}`);
  return () => bank.awaitBank(attemptOf(sessionId, login));
}

/** A request to resend a code is the only answer to a code step that is not sealed. */
export function isResend(answer: BankAnswer['answer']): boolean {
  return 'kind' in answer && answer.kind === 'otp';
}

function attemptOf(sessionId: string, { provider, attemptKey }: StartedLogin) {
  return { sessionId, provider, attemptKey };
}
