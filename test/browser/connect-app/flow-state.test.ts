import { nextDeadline, readTimestamp } from '../../../apps/connect/src/flow/deadline.js';
import {
  initialState,
  reduce,
  type FlowAction,
  type FlowState,
  type Problem,
} from '../../../apps/connect/src/flow/flow-state.js';
import { isKnown, lossOf, screenOf, type Loss } from '../../../apps/connect/src/flow/screens.js';
import type { Step, StepContent } from '../../../packages/connect-protocol/src/step.js';
import type { FinishResult, SessionEnd } from '../../../packages/connect-protocol/src/view.js';
import {
  ACCOUNTS,
  CONSENT,
  CREDENTIALS,
  makeStep,
  makeView,
  OTP,
  REDIRECT,
  WAIT,
} from './support/views.js';

const after = (...actions: FlowAction[]): FlowState => actions.reduce(reduce, initialState);
/** Two views of one step are equal, so they end at one time and not at that of their making. */
const view = (seq: number, content: StepContent = CREDENTIALS) =>
  makeView(seq, content, { expires_at: '2026-03-02T10:30:00.000' });

describe('The state of a Connect flow', () => {
  it('moves to a newer view and never back to an older one', () => {
    expect(
      after({ type: 'answered', view: view(3) }, { type: 'shown', view: view(4, OTP) }).view?.seq,
    ).toBe(4);
    expect(
      after({ type: 'answered', view: view(4, OTP) }, { type: 'shown', view: view(3) }).view?.seq,
    ).toBe(4);
  });

  it.each([CREDENTIALS, OTP, ACCOUNTS, CONSENT, { kind: 'select_institution' } as const])(
    'keeps waiting while a poll returns the answered step, and shows the next one: $kind',
    (answered) => {
      const waiting = after(
        { type: 'answered', view: view(1, answered) },
        { type: 'sending', sent: 'credentials' },
        { type: 'answered', view: view(1, WAIT) },
      );
      expect(waiting.view?.step.kind).toBe('wait');
      const polled = reduce(waiting, {
        type: 'shown',
        view: { ...view(1, answered), expires_at: '2026-03-02T11:00:00.000' },
      });
      expect(polled.view).toMatchObject({
        seq: 1,
        expires_at: '2026-03-02T11:00:00.000',
        step: { kind: 'wait' },
      });
      expect(reduce(polled, { type: 'shown', view: view(2, answered) }).view?.step.kind).toBe(
        answered.kind,
      );
    },
  );

  it.each([OTP, WAIT, { kind: 'error' } as StepContent])(
    'shows the next step ($kind) with the response of the call in progress, and not while its buttons still wait for it',
    (next) => {
      const sending = after(
        { type: 'answered', view: view(1) },
        { type: 'sending', sent: 'credentials' },
      );
      expect(reduce(sending, { type: 'shown', view: view(2, next) })).toBe(sending);
      expect(reduce(sending, { type: 'answered', view: view(2, next) })).toMatchObject({
        sending: false,
        view: { seq: 2 },
      });
    },
  );

  it('shows new limits of its step while a call is in progress', () => {
    const later = '2026-03-02T11:00:00.000';
    const state = after(
      { type: 'answered', view: view(1) },
      { type: 'sending', sent: 'credentials' },
      { type: 'shown', view: { ...view(1), expires_at: later } },
    );
    expect(state).toMatchObject({ sending: true, view: { expires_at: later } });
  });

  it('keeps the step when a call is refused, and clears the refusal with the next attempt or step', () => {
    const refused = after(
      { type: 'answered', view: view(1) },
      { type: 'sending', sent: 'credentials' },
      { type: 'refused', refusal: 'not_accepted' },
    );
    expect(refused).toMatchObject({
      phase: 'open',
      sending: false,
      refusal: 'not_accepted',
      view: { seq: 1 },
    });
    expect(reduce(refused, { type: 'sending', sent: 'credentials' }).refusal).toBeNull();
    expect(reduce(refused, { type: 'shown', view: view(2) }).refusal).toBeNull();
  });

  it('remembers that another window submitted an answer until the next view is shown', () => {
    const busy = after(
      { type: 'answered', view: view(1) },
      { type: 'busyElsewhere', view: view(1) },
    );
    expect(busy.answeredElsewhere).toBe(true);
    expect(reduce(busy, { type: 'shown', view: view(2) }).answeredElsewhere).toBe(false);
  });

  it.each<FlowAction>([
    { type: 'shown', view: view(9) },
    { type: 'sending', sent: 'credentials' },
    { type: 'askedToLeave', reason: 'user_closed' },
    { type: 'moved' },
  ])('ignores $type after the flow is done', (action) => {
    const done = after(
      { type: 'answered', view: view(1) },
      { type: 'finished', result: {} as FinishResult },
    );
    expect(reduce(done, action)).toBe(done);
  });

  it('ignores later actions after the user has left', () => {
    const left = after({ type: 'left' });
    expect(reduce(left, { type: 'answered', view: view(1) })).toBe(left);
    expect(reduce(left, { type: 'connection', online: false })).toBe(left);
  });
});

describe('Each action of a Connect flow', () => {
  const problem = (errorId: string) => ({ error: { error_id: errorId } }) as Problem;
  const result = { session_id: 'ses_1' } as FinishResult;
  const end = { outcome: 'linked' } as SessionEnd;
  /** No member has its value of the beginning. */
  const problemState: FlowState = {
    phase: 'problem',
    view: view(3),
    sending: true,
    sent: 'credentials',
    answeredElsewhere: true,
    refusal: 'not_accepted',
    problem: problem('first'),
    result: null,
    end: null,
    leaving: 'programmatic',
    online: false,
    searchTerm: 'harbor',
  };
  const idle = { ...problemState, sending: false, answeredElsewhere: false };
  const next = view(4, OTP);
  const cleared = { problem: null, refusal: null, answeredElsewhere: false };

  it('begins with nothing but the assumption that there is a network', () => {
    expect(initialState).toStrictEqual({
      phase: 'starting',
      view: null,
      sending: false,
      sent: null,
      answeredElsewhere: false,
      refusal: null,
      problem: null,
      result: null,
      end: null,
      leaving: null,
      online: true,
      searchTerm: '',
    });
  });

  it.each<[string, FlowState, FlowAction, Partial<FlowState>]>([
    ['a network', problemState, { type: 'connection', online: true }, { online: true }],
    ['a search', problemState, { type: 'searched', term: 'hill' }, { searchTerm: 'hill' }],
    [
      'the wish to leave',
      problemState,
      { type: 'askedToLeave', reason: 'user_closed' },
      { leaving: 'user_closed' },
    ],
    ['the decision to stay', problemState, { type: 'stayed' }, { leaving: null }],
    ['an exit', problemState, { type: 'left' }, { phase: 'left', leaving: null, sending: false }],
    ['a known end', problemState, { type: 'ended', end }, { phase: 'left', end }],
    [
      'a retry',
      idle,
      { type: 'starting' },
      { phase: 'open', problem: null, sending: true, sent: null },
    ],
    [
      'a retry of the opening',
      { ...problemState, view: null },
      { type: 'starting' },
      { phase: 'starting', problem: null, sending: false, sent: null },
    ],
    [
      'a call',
      idle,
      { type: 'sending', sent: 'otp' },
      { sending: true, sent: 'otp', refusal: null },
    ],
    [
      'the response with the next step',
      problemState,
      { type: 'answered', view: next },
      { ...cleared, phase: 'open', view: next, sending: false },
    ],
    [
      'the response with the same step',
      problemState,
      { type: 'answered', view: view(3, OTP) },
      { phase: 'open', view: view(3, OTP), problem: null, sending: false },
    ],
    [
      'the response with an older step',
      problemState,
      { type: 'answered', view: view(2, OTP) },
      { phase: 'open', problem: null, sending: false },
    ],
    [
      'a poll with the next step',
      { ...idle, answeredElsewhere: true },
      { type: 'shown', view: next },
      { ...cleared, phase: 'open', view: next },
    ],
    [
      'an answer elsewhere',
      { ...idle, sending: true },
      { type: 'busyElsewhere', view: view(3) },
      { phase: 'open', view: view(3), problem: null, sending: false, answeredElsewhere: true },
    ],
    [
      'a refusal',
      problemState,
      { type: 'refused', refusal: 'finder_unavailable' },
      { sending: false, refusal: 'finder_unavailable' },
    ],
    [
      'a problem',
      { ...problemState, phase: 'open' },
      { type: 'failed', problem: problem('second') },
      { phase: 'problem', problem: problem('second'), sending: false, leaving: null },
    ],
    [
      'another window',
      problemState,
      { type: 'moved' },
      { phase: 'moved', sending: false, leaving: null },
    ],
    [
      'a result',
      problemState,
      { type: 'finished', result },
      { phase: 'done', result, sending: false, leaving: null },
    ],
  ])('changes its part of the state alone: %s', (_, before, action, changes) => {
    expect(reduce(before, action)).toStrictEqual({ ...before, ...changes });
  });

  it.each(['done', 'moved'] as const)(
    'is ignored in the phase %s, but for its closing',
    (phase) => {
      const last = { ...problemState, phase };
      for (const action of [
        { type: 'askedToLeave', reason: 'user_closed' },
        { type: 'answered', view: next },
        { type: 'failed', problem: problem('second') },
        { type: 'starting' },
      ] satisfies FlowAction[])
        expect(reduce(last, action)).toBe(last);
      expect(reduce(last, { type: 'left' }).phase).toBe('left');
    },
  );

  it('keeps the theme of the session while its views have none', () => {
    const [session, step] = [{ colors: { accent: 'teal' } }, { colors: { accent: 'navy' } }];
    const opened = after({ type: 'answered', view: { ...view(1), theme: session } });
    const later = reduce(opened, { type: 'answered', view: view(2) });
    expect(later.view?.theme).toBe(session);
    const own = reduce(later, { type: 'answered', view: { ...view(3), theme: step } });
    expect(own.view?.theme).toBe(step);
    expect(after({ type: 'answered', view: view(1) }).view?.theme).toBeNull();
  });
});

describe('A Connect step', () => {
  it.each<[StepContent, string | null]>([
    [{ kind: 'select_institution' }, 'finder'],
    [CREDENTIALS, 'credentials'],
    [{ ...CREDENTIALS, purpose: 'questions' } as StepContent, 'questions'],
    [{ ...CREDENTIALS, purpose: 'details' } as StepContent, 'questions'],
    [{ kind: 'choice', purpose: 'option', options: [], max: 1 }, 'options'],
    [OTP, 'code'],
    [{ kind: 'image', image: '', label: '', description: null }, 'picture'],
    [REDIRECT, 'bank_redirect'],
    [WAIT, 'progress'],
    [CONSENT, 'permissions'],
    [ACCOUNTS, 'accounts'],
    [{ kind: 'success' }, null],
  ])('with the content %j shows the expected screen', (content, screen) => {
    expect(screenOf(after({ type: 'answered', view: view(1, content) }))).toBe(screen);
  });

  it('is covered by the leave confirmation while the user is asked to leave', () => {
    expect(
      screenOf(
        after({ type: 'answered', view: view(1) }, { type: 'askedToLeave', reason: 'user_closed' }),
      ),
    ).toBe('leave');
  });

  it('is unknown when this version does not support its kind', () => {
    expect(isKnown({ ...makeStep(1, WAIT), kind: 'retina_scan' } as unknown as Step)).toBe(false);
  });

  it.each<[StepContent, Loss]>([
    [{ kind: 'select_institution' }, 'nothing'],
    [CREDENTIALS, 'nothing'],
    [REDIRECT, 'nothing'],
    [WAIT, 'nothing'],
    [{ kind: 'wait', stage: 'loading_accounts', can_cancel: false }, 'progress'],
    [{ kind: 'wait', stage: 'finishing', can_cancel: false }, 'result'],
    [{ kind: 'success' }, 'result'],
    [OTP, 'progress'],
    [CONSENT, 'progress'],
    [ACCOUNTS, 'progress'],
    [{ ...CREDENTIALS, purpose: 'questions' } as StepContent, 'progress'],
  ])('determines what leaving loses: %j', (content, loss) => {
    expect(lossOf(makeStep(1, content))).toBe(loss);
  });
});

describe('The time limits of a Connect view', () => {
  it('treat a timestamp without an offset as UTC', () => {
    expect(readTimestamp('2026-03-02T10:45:00.000')).toBe(Date.UTC(2026, 2, 2, 10, 45));
    expect(readTimestamp('2026-03-02T10:45:00+00:00')).toBe(Date.UTC(2026, 2, 2, 10, 45));
  });

  it('use the earlier of the step limit and the session limit', () => {
    const base = { expires_at: '2026-03-02T10:25:00.000' };
    expect(nextDeadline(makeView(1, OTP, { expires_at: '2026-03-02T10:45:00.000', base })).of).toBe(
      'step',
    );
    expect(nextDeadline(makeView(1, OTP, { expires_at: '2026-03-02T10:15:00.000', base })).of).toBe(
      'session',
    );
  });
});
