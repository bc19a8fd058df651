import { refreshLogos, type LogoDeps } from '../../../activities/catalog/refresh-logos.js';

const signal = new AbortController().signal;
const bytes = (text: string) => new TextEncoder().encode(text);

function stageOf(addresses: string[], over: Partial<LogoDeps> = {}) {
  const kept = new Map<string, string | null>();
  let assigned = 0;
  const deps: LogoDeps = {
    logos: {
      due: async () => addresses,
      keep: async (address, picture) =>
        void kept.set(address, picture && Buffer.from(picture).toString()),
      assign: async () => void (assigned += 1),
    },
    fetchLogo: async (address) => (address.includes('none') ? null : bytes(address)),
    encodeLogo: async (picture) =>
      Buffer.from(picture).includes('broken') ? null : bytes(`encoded ${Buffer.from(picture)}`),
    now: () => new Date(0),
    ...over,
  };
  return { deps, kept, assigned: () => assigned };
}

describe('The logos of a sync', () => {
  it('are read and encoded, those without a usable picture are noted, and institutions get them at the end', async () => {
    const { deps, kept, assigned } = stageOf(['a', 'none', 'broken', 'b']);
    await refreshLogos(deps, 'north', signal);
    expect(Object.fromEntries(kept)).toEqual({
      a: 'encoded a',
      b: 'encoded b',
      none: null,
      broken: null,
    });
    expect(assigned()).toBe(1);
  });

  it('are read by a few calls at once', async () => {
    let [running, most] = [0, 0];
    const { deps, kept } = stageOf(
      Array.from({ length: 50 }, (_, index) => `logo-${index}`),
      {
        fetchLogo: async (address) => {
          running += 1;
          most = Math.max(most, running);
          await new Promise((resolve) => setImmediate(resolve));
          running -= 1;
          return bytes(address);
        },
      },
    );
    await refreshLogos(deps, 'north', signal);
    expect(kept.size).toBe(50);
    expect(most).toBe(8);
  });

  it('end after a minute, with those that were read by then', async () => {
    let now = 0;
    const { deps, kept, assigned } = stageOf(
      Array.from({ length: 500 }, (_, index) => `logo-${index}`),
      {
        now: () => new Date(now),
        fetchLogo: async (address) => {
          now += 1_000;
          return bytes(address);
        },
      },
    );
    await refreshLogos(deps, 'north', signal);
    expect(kept.size).toBeGreaterThan(50);
    expect(kept.size).toBeLessThan(70);
    expect(assigned()).toBe(1);
  });
});
