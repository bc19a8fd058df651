import type { StepContent } from '../../../domain/session/connect-step.js';
import { PHASES } from '../../../domain/session/session-transitions.js';
import type { PreparedStep } from '../../../prisma/work/linking/prepared-step.js';
import {
  ATTEMPT,
  LINKED,
  newSession,
  openedSession,
  shown,
  TENANT,
  storeOfFile,
  store,
} from '../../support/fixtures/linking-store.js';

storeOfFile();

const WAIT: StepContent = { kind: 'wait', stage: 'connecting', can_cancel: false };
const OTP: StepContent = {
  kind: 'otp',
  channel: 'sms',
  target: null,
  length: 6,
  digits_only: true,
  resend_after_seconds: null,
};
const prepared = (content: StepContent): PreparedStep => ({
  content,
  message: null,
  error: null,
  attemptsLeft: null,
  expiresAt: null,
});
const phaseOf = async (sessionId: string) => (await store.sessions.get(sessionId))?.phase;

/** Shows a step, and returns the phase that the row then names. */
async function phaseShowing(sessionId: string, seq: number, content: StepContent) {
  await store.sessions.projectStep(sessionId, { ...shown(seq, content), accepted: false });
  return phaseOf(sessionId);
}

/** The phase that the row names after the bank requested something. */
async function phaseAsked(sessionId: string, content: StepContent) {
  await store.bankLogins.storePreparedStep(
    sessionId,
    ATTEMPT,
    prepared(content),
    Buffer.from('state'),
  );
  return phaseOf(sessionId);
}

// docs/decisions/0053: a workflow without a history continues from this word.
describe('The row of a session names its phase', () => {
  it('from its creation to its end', async () => {
    const created = await store.sessions.create(TENANT, newSession());
    expect(await phaseOf(created.sessionId)).toBe('unopened');
    const { sessionId } = await openedSession(store);
    expect(await phaseOf(sessionId)).toBe('choosingBank');
    await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
    await store.bankLogins.storeLinked(sessionId, ATTEMPT, LINKED);
    await store.questions.finishLinking(sessionId, shown(2, { kind: 'success' }));
    expect(await phaseOf(sessionId)).toBe('succeeded');
    await store.times.cancelSession(sessionId);
    expect(await phaseOf(sessionId)).toBe('over');
  });

  it('behind a wait, while the login is at the bank', async () => {
    const { sessionId } = await openedSession(store);
    await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
    expect(await phaseShowing(sessionId, 2, WAIT)).toBe('callingBank');
    expect(await phaseAsked(sessionId, WAIT)).toBe('waitingAtBank');
    expect(await phaseAsked(sessionId, OTP)).toBe('callingBank');
    expect(await phaseShowing(sessionId, 3, OTP)).toBe('answering');
    expect(await phaseAsked(sessionId, WAIT)).toBe('answering');
  });

  it('once the bank accepted the login, whatever the user sees, until another login starts', async () => {
    const { sessionId } = await openedSession(store);
    await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
    await phaseAsked(sessionId, OTP);
    expect(await phaseShowing(sessionId, 2, OTP)).toBe('answering');
    await store.bankLogins.storeLinked(sessionId, ATTEMPT, LINKED);
    expect(await phaseOf(sessionId)).toBe('asking');
    expect(await phaseShowing(sessionId, 3, WAIT)).toBe('asking');
    await store.logins.beginLogin(sessionId, 'first-bank', 'attempt-2');
    expect(await phaseOf(sessionId)).toBe('callingBank');
  });

  it('as before the first step when the user leaves a session for one bank', async () => {
    const { sessionId } = await openedSession(store, { presetInstitutionId: 'first-bank' });
    await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
    await store.attempts.exitAttempt(sessionId, shown(2, WAIT));
    expect(await phaseOf(sessionId)).toBe('unopened');
    const other = await openedSession(store);
    await store.attempts.exitAttempt(other.sessionId, shown(2, { kind: 'select_institution' }));
    expect(await phaseOf(other.sessionId)).toBe('choosingBank');
  });

  it('by every name but those that last one transaction, and by no other', async () => {
    const { sessionId } = await store.sessions.create(TENANT, newSession());
    const isAllowed = (phase: string) =>
      store.ctx.database.prisma.linkSession.update({ where: { sessionId }, data: { phase } }).then(
        () => true,
        () => false,
      );
    const allowed: string[] = [];
    for (const phase of [...PHASES, 'elsewhere']) if (await isAllowed(phase)) allowed.push(phase);
    expect(allowed).toEqual(
      PHASES.filter((phase) => phase !== 'startingLogin' && phase !== 'finishing'),
    );
  });
});
