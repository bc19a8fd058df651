import { OwnerTurns } from '../../../prisma/base/database/owner-turns.js';

const WAIT_MS = 1_000;

describe('The turns of a shared pool', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** Started work is noted by its name, refused work with a `!`. */
  function setUp() {
    const turns = new OwnerTurns({ perOwner: 2, maxWaiting: 3, waitMs: WAIT_MS });
    const events: string[] = [];
    const begin = (owner: string, name: string) =>
      turns.begin(
        owner,
        () => events.push(name),
        () => events.push(`${name}!`),
      );
    return { turns, events, begin };
  }

  it('are limited per owner, and pass to other owners in the order of arrival', () => {
    const { turns, events, begin } = setUp();
    for (const name of ['a1', 'a2', 'a3', 'a4']) begin('a', name);
    begin('b', 'b1');
    expect(events).toEqual(['a1', 'a2', 'b1']);
    turns.end('a');
    turns.end('a');
    expect(events).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
  });

  it('are refused if too many requests wait', () => {
    const { events, begin } = setUp();
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']) begin('a', name);
    expect(events).toEqual(['a1', 'a2', 'a6!']);
  });

  it('are refused to requests that have waited too long, each at its own deadline', () => {
    const { turns, events, begin } = setUp();
    for (const name of ['a1', 'a2', 'a3']) begin('a', name);
    jest.advanceTimersByTime(WAIT_MS / 2);
    begin('a', 'a4');
    jest.advanceTimersByTime(WAIT_MS / 2);
    expect(events).toEqual(['a1', 'a2', 'a3!']);
    turns.end('a');
    expect(events).toEqual(['a1', 'a2', 'a3!', 'a4']);
    jest.advanceTimersByTime(10 * WAIT_MS);
    begin('a', 'a5');
    jest.advanceTimersByTime(WAIT_MS);
    expect(events).toEqual(['a1', 'a2', 'a3!', 'a4', 'a5!']);
  });
});
