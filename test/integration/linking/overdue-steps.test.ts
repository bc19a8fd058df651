import { makeStep, type StepContent } from '../../../domain/session/connect-step.js';
import { apiTimestamp } from '../../../domain/api/timestamps.js';
import { OverdueStepRepository } from '../../../prisma/work/linking/overdue-step.repository.js';
import {
  ATTEMPT,
  eventsOf,
  MINUTE,
  openedSession,
  storeOfFile,
  store,
} from '../../support/fixtures/linking-store.js';

const OTP: StepContent = {
  kind: 'otp',
  channel: 'sms',
  target: null,
  length: 6,
  digits_only: true,
  resend_after_seconds: null,
};

storeOfFile();

let steps: OverdueStepRepository;
beforeAll(() => {
  steps = new OverdueStepRepository(store.ctx);
});

const inMinutes = (minutes: number) => new Date(store.ctx.clock().getTime() + minutes * MINUTE);
const sweep = () => steps.sweep(inMinutes(-1), 100);

/** A user with a step that expires in five minutes. */
async function asked(
  content: StepContent,
  over: Parameters<typeof openedSession>[1] = {},
): Promise<{ sessionId: string; linkId: string }> {
  const { sessionId } = await openedSession(store, over);
  const { linkId } = await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
  await store.sessions.projectStep(sessionId, {
    seq: 2,
    step: makeStep(2, content, { expires_at: apiTimestamp(inMinutes(5)) }),
    accepted: true,
  });
  return { sessionId, linkId };
}

describe('A step that waits too long', () => {
  it.each<[string, StepContent]>([
    ['a code', OTP],
    ["a bank's own pages", { kind: 'redirect', started: true }],
  ])('ends the login, for %s', async (_, content) => {
    const { sessionId, linkId } = await asked(content);
    store.pass(5.9 * MINUTE);
    expect(await sweep()).toBe(0);
    store.pass(0.2 * MINUTE);
    expect(await sweep()).toBe(1);
    expect(await store.sessions.get(sessionId)).toMatchObject({
      state: 'open',
      seq: 3,
      step: {
        id: 'st_3',
        kind: 'error',
        error_id: 'connect_error.timeout',
        actions: ['retry', 'choose_another', 'exit'],
      },
    });
    expect(await eventsOf(store, linkId)).toEqual([
      'state connecting',
      'state error/institution_error',
    ]);
    expect(await sweep()).toBe(0);
  });

  it('offers no other bank where there is none to choose', async () => {
    const { sessionId } = await asked(OTP, { presetInstitutionId: 'first-bank' });
    store.pass(7 * MINUTE);
    await sweep();
    expect((await store.sessions.get(sessionId))?.step).toMatchObject({
      actions: ['retry', 'exit'],
    });
  });

  it('is left to the workflow that works on it, and to the end of the session', async () => {
    const [waiting, ended] = [
      await asked({ kind: 'wait', stage: 'connecting', can_cancel: true }),
      await asked(OTP),
    ];
    await store.times.cancelSession(ended.sessionId);
    store.pass(7 * MINUTE);
    expect(await sweep()).toBe(0);
    expect(await store.sessions.get(waiting.sessionId)).toMatchObject({ seq: 2 });
    expect(await store.sessions.get(ended.sessionId)).toMatchObject({ state: 'ended', seq: 2 });
  });

  it('is ended once when two workers find it', async () => {
    const { linkId } = await asked(OTP);
    store.pass(7 * MINUTE);
    const counts = await Promise.all([sweep(), sweep(), sweep()]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(1);
    expect(await eventsOf(store, linkId)).toEqual([
      'state connecting',
      'state error/institution_error',
    ]);
  });
});
