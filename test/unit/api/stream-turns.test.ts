import {
  StreamTurns,
  type StreamKind,
  type StreamTurn,
} from '../../../apps/api/src/http/stream-turns.js';
import { OwnerBusy } from '../../../prisma/base/database/shared-pool.js';

let now = 0;
beforeEach(() => {
  now = 0;
  jest.useFakeTimers();
});

const newTurns = () => new StreamTurns(() => now);

async function* endless(): AsyncGenerator<string> {
  for (;;) yield await Promise.resolve('x');
}

/** A stream whose reader takes fragments by `take`, and none by itself. */
function reader(turns: StreamTurns, owner: string, kind: StreamKind = 'export') {
  let state: 'waiting' | 'reading' | 'ended' | 'refused' = 'waiting';
  let fragments: AsyncGenerator<string> | undefined;
  let stop = (): void => undefined;
  const done = turns
    .during(kind, owner, async ({ signal, follow }: StreamTurn) => {
      state = 'reading';
      fragments = follow(endless());
      await new Promise<void>((resolve) => {
        stop = resolve;
        signal.addEventListener('abort', () => resolve());
      });
      state = 'ended';
    })
    .catch((error: unknown) => {
      state = 'refused';
      return error;
    });
  return {
    state: () => state,
    take: () => fragments?.next(),
    stop: async () => {
      stop();
      await done;
    },
    done,
  };
}

/** Lets time pass, and what waits for it. */
async function pass(milliseconds: number): Promise<void> {
  jest.advanceTimersByTime(milliseconds);
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}
const settle = () => pass(0);

describe('The streams of an app', () => {
  it('have two turns, and those of another app have their own', async () => {
    const turns = newTurns();
    const [one, two, three] = [reader(turns, 'app'), reader(turns, 'app'), reader(turns, 'app')];
    const other = reader(turns, 'other');
    await settle();
    expect([one, two, three, other].map((each) => each.state())).toEqual([
      'reading',
      'reading',
      'waiting',
      'reading',
    ]);
    await one.stop();
    await settle();
    expect(three.state()).toBe('reading');
  });

  it('wait for a turn for 5 s, then are refused', async () => {
    const turns = newTurns();
    for (const each of [reader(turns, 'app'), reader(turns, 'app')]) {
      await settle();
      await each.take();
    }
    const late = reader(turns, 'app');
    await pass(6_000);
    expect(late.state()).toBe('refused');
    expect(await late.done).toMatchObject({ code: 'api_error.unavailable' });
  });

  it('end one that its reader left unread for 5 s once another one waits, and not before', async () => {
    const turns = newTurns();
    const [slow, fast] = [reader(turns, 'app'), reader(turns, 'app')];
    await settle();
    await slow.take();
    await fast.take();
    now = 60_000;
    await pass(60_000);
    await fast.take();
    expect([slow.state(), fast.state()]).toEqual(['reading', 'reading']);
    const next = reader(turns, 'app');
    await settle();
    expect([slow.state(), fast.state(), next.state()]).toEqual(['ended', 'reading', 'reading']);
  });

  it('end one that begins to stall while another one waits', async () => {
    const turns = newTurns();
    const [slow, fast] = [reader(turns, 'app'), reader(turns, 'app')];
    await settle();
    await slow.take();
    await fast.take();
    now = 4_000;
    await fast.take();
    const next = reader(turns, 'app');
    await settle();
    expect(next.state()).toBe('waiting');
    now = 5_000;
    await pass(1_000);
    expect([slow.state(), fast.state(), next.state()]).toEqual(['ended', 'reading', 'reading']);
  });

  it('end after an hour', async () => {
    const turns = newTurns();
    await turns.during('export', 'app', async ({ follow }) => {
      const text = follow(endless());
      await text.next();
      now = 3_600_001;
      await expect(text.next()).rejects.toThrow('longer than an hour');
    });
  });
});

describe('The exports of a key pair with a share of its own', () => {
  const ofPair = (turns: StreamTurns, pair: string) => reader(turns, pair, 'export of a pair');

  it('run one after the other, and leave those of other pairs and of the app alone', async () => {
    const turns = newTurns();
    const [one, second] = [ofPair(turns, 'a'), ofPair(turns, 'a')];
    const others = [ofPair(turns, 'b'), reader(turns, 'app'), reader(turns, 'app')];
    await settle();
    expect([one, second, ...others].map((each) => each.state())).toEqual([
      'reading',
      'waiting',
      'reading',
      'reading',
      'reading',
    ]);
    await one.stop();
    await settle();
    expect(second.state()).toBe('reading');
  });

  it('wait for a turn for 4 s, then are refused like calls that wait for a connection', async () => {
    const turns = newTurns();
    ofPair(turns, 'a');
    const late = ofPair(turns, 'a');
    await pass(5_000);
    expect(late.state()).toBe('refused');
    expect(await late.done).toBeInstanceOf(OwnerBusy);
  });
});
