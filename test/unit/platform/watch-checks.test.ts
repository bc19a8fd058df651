import { createLogger } from '../../../apps/platform/src/logging/logger.js';
import { NotReady, type HealthCheck } from '../../../apps/platform/src/process/health-check.js';
import { watchChecks } from '../../../apps/platform/src/process/watch-checks.js';

const MINUTE_MS = 60_000;

/** A watched part whose clock and faults the test sets. */
function watched(keptForMs?: number) {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger({
    name: 'test',
    level: 'info',
    format: 'json',
    destination: { write: (line: string) => lines.push(JSON.parse(line)) },
  });
  const part = { now: 0, looks: 0, fault: undefined as Error | undefined };
  const check: HealthCheck = {
    part: 'schema',
    critical: true,
    ...(keptForMs === undefined ? {} : { keptForMs }),
    check: async () => {
      part.looks += 1;
      if (part.fault !== undefined) throw part.fault;
    },
  };
  const [watch = check] = watchChecks([check], { logger, now: () => part.now });
  return {
    part,
    look: () =>
      watch.check().then(
        () => 'up',
        () => 'down',
      ),
    logged: () =>
      lines.map(({ msg, part: name, cause, remedy }) => ({
        msg,
        part: name,
        ...(cause === undefined ? {} : { cause, remedy }),
      })),
  };
}

const DOWN = { msg: 'health.part_down', part: 'schema' };

describe('A watched part', () => {
  it('logs its cause and remedy once a minute, however often it is checked', async () => {
    const { part, look, logged } = watched();
    part.fault = new NotReady('it lacks a table', 'migrate');
    for (part.now = 0; part.now < MINUTE_MS; part.now += 1_000) expect(await look()).toBe('down');
    const line = { ...DOWN, cause: 'it lacks a table', remedy: 'migrate' };
    expect(logged()).toEqual([line]);
    part.now = MINUTE_MS;
    await look();
    expect(logged()).toEqual([line, line]);
  });

  it('logs another cause at once, and its recovery once', async () => {
    const { part, look, logged } = watched();
    part.fault = new NotReady('it lacks a table', 'migrate');
    await look();
    part.fault = new NotReady('it lacks a column', 'migrate');
    await look();
    part.fault = undefined;
    expect({ first: await look(), second: await look() }).toEqual({ first: 'up', second: 'up' });
    expect(logged()).toEqual([
      { ...DOWN, cause: 'it lacks a table', remedy: 'migrate' },
      { ...DOWN, cause: 'it lacks a column', remedy: 'migrate' },
      { msg: 'health.part_up', part: 'schema' },
    ]);
  });

  it('logs the first line of an error that names no remedy, or its code', async () => {
    const { part, look, logged } = watched();
    part.fault = new Error('connection terminated\nsecond line');
    await look();
    part.fault = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
    await look();
    expect(logged().map(({ cause }) => cause)).toEqual(['connection terminated', 'ECONNREFUSED']);
  });

  it('logs nothing when it is down because the process stops', async () => {
    const { part, look, logged } = watched();
    part.fault = new DOMException('stopping', 'AbortError');
    expect(await look()).toBe('down');
    expect(logged()).toEqual([]);
  });

  it('is checked again only after its result has become old, or a second after a fault', async () => {
    const { part, look } = watched(5_000);
    const results = [await look(), await look()];
    part.fault = new NotReady('it lacks a table', 'migrate');
    part.now = 4_999;
    results.push(await look());
    expect({ results, looks: part.looks }).toEqual({ results: ['up', 'up', 'up'], looks: 1 });
    part.now = 5_000;
    expect({ first: await look(), second: await look(), looks: part.looks }).toEqual({
      first: 'down',
      second: 'down',
      looks: 2,
    });
    part.fault = undefined;
    part.now = 6_000;
    expect({ result: await look(), looks: part.looks }).toEqual({ result: 'up', looks: 3 });
  });

  it('is checked once for callers that arrive at the same time', async () => {
    const { part, look } = watched(5_000);
    expect(await Promise.all([look(), look(), look()])).toEqual(['up', 'up', 'up']);
    expect(part.looks).toBe(1);
  });
});
