import { AddressRefused } from '../../../apps/platform/src/addresses/resolve-target.js';
import { PollLoop } from '../../../apps/platform/src/process/poll-loop.js';
import { AnswerExcerpt } from '../../../apps/webhooks/src/sending/answer-excerpt.js';
import { classifyFailure } from '../../../apps/webhooks/src/sending/classify-failure.js';
import { OutcomeRecorder } from '../../../apps/webhooks/src/sending/outcome-recorder.js';
import type { RecordedOutcome } from '../../../prisma/announcements/webhooks/webhook-outcome.repository.js';

const failure = (code: string) => Object.assign(new Error(code), { code });

describe('The reason of a missing response', () => {
  it.each<[unknown, string]>([
    [new AddressRefused(), 'address_refused'],
    [failure('DEPTH_ZERO_SELF_SIGNED_CERT'), 'tls'],
    [failure('CERT_HAS_EXPIRED'), 'tls'],
    [failure('ERR_TLS_CERT_ALTNAME_INVALID'), 'tls'],
    [failure('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'tls'],
    [failure('EPROTO'), 'tls'],
    [failure('UND_ERR_CONNECT_TIMEOUT'), 'timeout'],
    [failure('ECONNREFUSED'), 'connect'],
    [failure('ENOTFOUND'), 'connect'],
    [failure('UND_ERR_SOCKET'), 'connect'],
    [new AggregateError([failure('ETIMEDOUT'), failure('ETIMEDOUT')]), 'timeout'],
    [new AggregateError([failure('ECONNREFUSED'), failure('ETIMEDOUT')]), 'connect'],
    [new Error('no code'), 'connect'],
    ['no error', 'connect'],
  ])('is recorded for %s as %s', (error, name) => expect(classifyFailure(error)).toBe(name));
});

describe('The excerpt of a response', () => {
  const excerptOf = (...chunks: Buffer[]) => {
    const excerpt = new AnswerExcerpt();
    chunks.forEach((chunk) => excerpt.add(chunk));
    return excerpt.text;
  };

  it('is the first 512 bytes', () => {
    expect(excerptOf(Buffer.alloc(300, 'a'), Buffer.alloc(300, 'b'))).toBe(
      'a'.repeat(300) + 'b'.repeat(212),
    );
  });

  it('is null for an empty body', () => {
    expect(excerptOf()).toBeNull();
  });

  it('can be stored as text whatever its bytes', () => {
    expect(excerptOf(Buffer.from([0x61, 0x00, 0xff, 0x62]))).toBe('a\uFFFD\uFFFDb');
  });

  it('ends after 16 KiB', () => {
    const excerpt = new AnswerExcerpt();
    const more = Array.from({ length: 17 }, () => excerpt.add(Buffer.alloc(1_024, 'x')));
    expect(more).toEqual([...Array.from({ length: 16 }, () => true), false]);
    expect(excerpt.text).toBe('x'.repeat(512));
  });
});

const outcome = (pk: number): RecordedOutcome => ({
  deliveryPk: BigInt(pk),
  attempt: 1,
  startedAt: new Date(0),
  durationMs: 1,
  httpStatus: 200,
  error: null,
  responseExcerpt: null,
  status: 'delivered',
  nextAttemptAt: null,
  shiftMs: 0,
});

describe('The recorder of outcomes', () => {
  const recorderOver = (write: (outcomes: readonly RecordedOutcome[]) => Promise<void>) =>
    new OutcomeRecorder({
      outcomes: {
        recordOutcomes: write,
      },
      isTemporary: (error) => error instanceof Error && error.message === 'away',
      retryAfterMs: [1, 1],
    });

  it('writes together the outcomes that arrive while it is writing', async () => {
    const batches: bigint[][] = [];
    const recorder = recorderOver(async (outcomes) => {
      await Promise.resolve();
      batches.push(outcomes.map(({ deliveryPk }) => deliveryPk));
    });
    await Promise.all([1, 2, 3, 4].map((pk) => recorder.record(outcome(pk))));
    expect(batches).toEqual([[1n], [2n, 3n, 4n]]);
  });

  it('retries while the database is down, and drops the outcome after that', async () => {
    let failures = 2;
    const write = jest.fn(async () => {
      if (failures-- > 0) throw new Error('away');
      await Promise.resolve();
    });
    await recorderOver(write).record(outcome(1));
    expect(write).toHaveBeenCalledTimes(3);
    failures = 3;
    await expect(recorderOver(write).record(outcome(1))).rejects.toThrow('away');
  });

  it('continues after an outcome that cannot be written', async () => {
    const recorder = recorderOver(async ([first]) => {
      await Promise.resolve();
      if (first?.deliveryPk === 1n) throw new Error('never');
    });
    await expect(recorder.record(outcome(1))).rejects.toThrow('never');
    await expect(recorder.record(outcome(2))).resolves.toBeUndefined();
  });
});

describe('A poll loop', () => {
  it('works until nothing remains, and again when woken', async () => {
    const rounds = [true, true, false, false];
    const seen: number[] = [];
    let quiet: () => void = () => undefined;
    const idle = () => new Promise<void>((resolve) => (quiet = resolve));
    const loop = new PollLoop({
      pollMs: 60_000,
      onError: () => undefined,
      work: async () => {
        await Promise.resolve();
        const more = rounds.shift() ?? false;
        seen.push(seen.length + 1);
        if (!more) setImmediate(quiet);
        return more;
      },
    });
    const first = idle();
    loop.start();
    await first;
    expect(seen).toEqual([1, 2, 3]);
    const second = idle();
    loop.wake();
    await second;
    expect(seen).toEqual([1, 2, 3, 4]);
    await loop.stop();
  });

  it('pauses after a failure even when woken, and stops at once', async () => {
    let rounds = 0;
    const errors: unknown[] = [];
    const loop = new PollLoop({
      pollMs: 60_000,
      onError: (error) => errors.push(error),
      work: async () => {
        rounds += 1;
        await Promise.resolve();
        throw new Error('away');
      },
    });
    loop.start();
    await new Promise(setImmediate);
    loop.wake();
    await new Promise(setImmediate);
    expect({ rounds, errors: errors.length }).toEqual({ rounds: 1, errors: 1 });
    await loop.stop();
  });
});
