import { FlowStore } from '../../../apps/connect/src/flow/flow-store.js';
import type { Problem } from '../../../apps/connect/src/flow/flow-state.js';
import { watchSteps } from '../../../apps/connect/src/flow/step-watch.js';
import type { StepContent } from '../../../packages/connect-protocol/src/step.js';
import type { View } from '../../../packages/connect-protocol/src/view.js';
import { PlayedService } from './support/played-service.js';
import { pass, settled, useStandInPage } from './support/stand-in-page.js';
import { CREDENTIALS, inMinutes, makeView, OTP, REDIRECT, WAIT } from './support/views.js';

const page = useStandInPage();

const STARTED: StepContent = { kind: 'redirect', started: true };
const MINUTE_MS = 60_000;

/** A watch over a flow at this view. */
function watch(view: View | null) {
  const store = new FlowStore();
  const service = new PlayedService();
  const failures: unknown[] = [];
  const stop = watchSteps({
    store,
    client: service.client,
    now: Date.now,
    onFailure: (error) => void failures.push(error),
  });
  if (view !== null) store.dispatch({ type: 'answered', view });
  return { store, service, failures, stop };
}

describe('While the bank or another window works', () => {
  it.each([
    ['the wait for a bank', makeView(7, WAIT)],
    ['a redirect that has started', makeView(7, STARTED)],
  ])('Connect follows %s by a long poll from its view', (_, view) => {
    expect(watch(view).service.callsTo('follow')).toEqual([[7, 20]]);
  });

  it('Connect follows an answer that was given elsewhere', () => {
    const { store, service } = watch(makeView(7, CREDENTIALS));
    expect(service.calls).toEqual([]);
    store.dispatch({ type: 'busyElsewhere', view: makeView(7, CREDENTIALS) });
    expect(service.callsTo('follow')).toEqual([[7, 20]]);
  });

  it('the next poll begins 400 ms after the previous one, or at once when that took longer', async () => {
    const view = makeView(7, WAIT);
    const { service } = watch(view);
    await pass(100);
    await service.answer('follow', view);
    await pass(299);
    expect(service.callsTo('follow')).toHaveLength(1);
    await pass(1);
    expect(service.callsTo('follow')).toHaveLength(2);
    await pass(20_000);
    await service.answer('follow', view);
    await pass(1);
    expect(service.callsTo('follow')).toEqual([
      [7, 20],
      [7, 20],
      [7, 20],
    ]);
  });

  it('a poll shows the next step, and is then over', async () => {
    const { store, service } = watch(makeView(7, WAIT));
    await service.answer('follow', makeView(8, OTP));
    expect(store.get().view?.step.kind).toBe('otp');
    await pass(MINUTE_MS);
    expect(service.callsTo('follow')).toHaveLength(1);
  });

  it('a poll that finds the next step during a call goes on, and shows it once the call was refused', async () => {
    const { store, service } = watch(makeView(7, STARTED));
    store.dispatch({ type: 'sending', sent: 'oauth_return' });
    await service.answer('follow', makeView(8, OTP));
    expect(store.get().view?.seq).toBe(7);
    store.dispatch({ type: 'refused', refusal: 'not_accepted' });
    await pass(400);
    await service.answer('follow', makeView(8, OTP));
    expect(store.get().view?.step.kind).toBe('otp');
  });

  it('other changes of the flow start no second poll', () => {
    const { store, service } = watch(makeView(7, WAIT));
    store.dispatch({ type: 'connection', online: false });
    store.dispatch({ type: 'askedToLeave', reason: 'user_closed' });
    expect(service.callsTo('follow')).toHaveLength(1);
  });

  it('a problem ends the poll, whose response shows nothing any more, and a retry begins another', async () => {
    const { store, service, failures } = watch(makeView(7, WAIT));
    store.dispatch({ type: 'failed', problem: {} as Problem });
    await service.answer('follow', makeView(8, OTP));
    expect(store.get()).toMatchObject({ phase: 'problem', view: { seq: 7 } });
    expect(failures).toEqual([]);
    store.dispatch({ type: 'starting' });
    expect(service.callsTo('follow')).toHaveLength(2);
  });

  it('a failed poll is reported, and one that Connect no longer needs is not', async () => {
    const lost = new Error('lost');
    const failed = watch(makeView(7, WAIT));
    await failed.service.refuse('follow', lost);
    expect(failed.failures).toEqual([lost]);
    const abandoned = watch(makeView(7, WAIT));
    abandoned.store.dispatch({ type: 'answered', view: makeView(8, OTP) });
    await abandoned.service.refuse('follow', lost);
    expect(abandoned.failures).toEqual([]);
  });
});

describe('While the user has to act', () => {
  it.each([
    ['a form', CREDENTIALS],
    ['a redirect that has not started', REDIRECT],
  ])('Connect asks at the time limit of %s, and then every 3 seconds', async (_, content) => {
    const view = makeView(7, content, { base: { expires_at: inMinutes(10) } });
    const { store, service } = watch(view);
    await pass(10 * MINUTE_MS + 499);
    expect(service.calls).toEqual([]);
    await pass(2);
    expect(service.callsTo('follow')).toEqual([[7, 0]]);
    await service.answer('follow', { ...view, mode: 'relink' });
    expect(store.get().view?.mode).toBe('relink');
    await pass(2_990);
    expect(service.callsTo('follow')).toHaveLength(1);
    await pass(10);
    expect(service.callsTo('follow')).toHaveLength(2);
    await service.answer('follow', makeView(8, OTP));
    expect(store.get().view?.seq).toBe(8);
  });

  it('Connect waits for a limit that is further away than a timer can run', async () => {
    const { service } = watch(makeView(7, OTP, { expires_at: inMinutes(60 * 24 * 60) }));
    await pass(MINUTE_MS);
    expect(service.calls).toEqual([]);
  });

  it('an extension moves the time limit', async () => {
    const view = makeView(7, OTP, { expires_at: inMinutes(1) });
    const { store, service } = watch(view);
    store.dispatch({ type: 'shown', view: { ...view, expires_at: inMinutes(5) } });
    await pass(2 * MINUTE_MS);
    expect(service.calls).toEqual([]);
    await pass(3 * MINUTE_MS + 501);
    expect(service.callsTo('follow')).toEqual([[7, 0]]);
  });

  it('a problem ends the question, whose response shows nothing any more', async () => {
    const { store, service, failures } = watch(makeView(7, OTP, { expires_at: inMinutes(1) }));
    await pass(MINUTE_MS + 501);
    store.dispatch({ type: 'failed', problem: {} as Problem });
    await service.answer('follow', makeView(8, OTP));
    expect(store.get()).toMatchObject({ phase: 'problem', view: { seq: 7 } });
    expect(failures).toEqual([]);
  });

  it.each([
    ['has succeeded', makeView(7, { kind: 'success' }, { expires_at: inMinutes(1) })],
    ['has not begun', null],
  ])('Connect asks nothing of a session that %s', async (_, view) => {
    const { service, failures } = watch(view);
    await pass(10 * MINUTE_MS);
    expect(service.calls).toEqual([]);
    expect(failures).toEqual([]);
  });
});

describe('A user who returns to the page', () => {
  it('sees the current step', async () => {
    const { store, service, failures } = watch(makeView(7, CREDENTIALS));
    page().setVisible(false);
    expect(service.calls).toEqual([]);
    page().setVisible(true);
    expect(service.callsTo('current')).toEqual([[7, 0]]);
    await service.answer('current', makeView(8, OTP));
    expect(store.get().view?.step.kind).toBe('otp');
    expect(failures).toEqual([]);
  });

  it('learns that the question has failed', async () => {
    const { service, failures } = watch(makeView(7, CREDENTIALS));
    page().setVisible(true);
    await service.refuse('current', new Error('lost'));
    expect(failures).toEqual([new Error('lost')]);
  });

  it('causes no question before the first step, during a call, and at a problem', async () => {
    const { store, service } = watch(null);
    page().setVisible(true);
    store.dispatch({ type: 'answered', view: makeView(7, CREDENTIALS) });
    store.dispatch({ type: 'sending', sent: 'credentials' });
    page().setVisible(true);
    store.dispatch({ type: 'failed', problem: {} as Problem });
    page().setVisible(true);
    await settled();
    expect(service.calls).toEqual([]);
  });
});

describe('A watch that is stopped', () => {
  it('ends its poll, and follows nothing any more', async () => {
    const { store, service, stop, failures } = watch(makeView(7, WAIT));
    stop();
    await service.answer('follow', makeView(8, OTP));
    expect(store.get().view?.seq).toBe(7);
    store.dispatch({ type: 'answered', view: makeView(9, WAIT) });
    page().setVisible(true);
    expect(service.calls).toHaveLength(1);
    expect(failures).toEqual([]);
  });
});
