import {
  RefusedSignIns,
  type RefusedSignIn,
} from '../../../apps/platform/src/sign-ins/refused-sign-ins.js';
import type { OperatorAction } from '../../../prisma/base/operator-actions/operator-action.repository.js';

const WINDOW_MS = 60_000;

function recorder(record: (action: OperatorAction) => Promise<void> = async () => undefined) {
  const rows: OperatorAction[] = [];
  const lines: Record<string, unknown>[] = [];
  const refusals = new RefusedSignIns({
    record: async (action) => {
      rows.push(action);
      await record(action);
    },
    logger: {
      warn: (fields: object) => void lines.push(fields as Record<string, unknown>),
    } as never,
    windowMs: WINDOW_MS,
    maxKinds: 3,
  });
  return { rows, lines, refusals };
}

const wrongSecret = (address: string): RefusedSignIn => ({
  actor: 'cli_1',
  door: 'key_pair',
  address,
  reason: 'wrong secret',
});

describe('Refused sign-ins', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('are recorded at once, and repeated ones as a number once a minute', () => {
    const { rows, lines, refusals } = recorder();
    for (let times = 0; times < 1_000; times += 1) refusals.note(wrongSecret('203.0.113.7'));
    expect(rows).toEqual([
      {
        actor: 'cli_1',
        action: 'sign_in',
        subject: 'key_pair from 203.0.113.7: wrong secret',
        outcome: 'refused',
      },
    ]);
    jest.advanceTimersByTime(WINDOW_MS);
    expect(rows[1]?.subject).toBe('key_pair from 203.0.113.7: wrong secret, 999 times');
    expect(lines.map(({ times }) => times)).toEqual([1, 999]);
    jest.advanceTimersByTime(10 * WINDOW_MS);
    expect(rows).toHaveLength(2);
    refusals.note(wrongSecret('203.0.113.7'));
    expect(rows).toHaveLength(3);
  });

  it('from any number of addresses create a few rows a minute', () => {
    const { rows, refusals } = recorder();
    for (let host = 0; host < 250; host += 1) refusals.note(wrongSecret(`203.0.113.${host}`));
    jest.advanceTimersByTime(WINDOW_MS);
    expect(rows.map(({ subject }) => subject)).toEqual([
      'key_pair from 203.0.113.0: wrong secret',
      'key_pair from 203.0.113.1: wrong secret',
      'key_pair from 203.0.113.2: wrong secret',
      'key_pair from many addresses: too many different ones to list',
      'key_pair from many addresses: too many different ones to list, 246 times',
    ]);
  });

  it('of one IPv6 network count as one kind', () => {
    const { rows, refusals } = recorder();
    refusals.note(wrongSecret('2001:db8::1'));
    refusals.note(wrongSecret('2001:db8::2'));
    expect(rows).toHaveLength(1);
  });

  it('are written at a stop if they are still counted, and an unavailable database does not block the stop', async () => {
    const { lines, refusals } = recorder(() => Promise.reject(new Error('away')));
    refusals.note(wrongSecret('203.0.113.7'));
    refusals.note(wrongSecret('203.0.113.7'));
    await refusals.close();
    expect(lines.map(({ times }) => times)).toEqual([1, 1]);
  });
});
