/** One part a process needs. `critical`: without it the process cannot do its job at all. */
export interface HealthCheck {
  /** Its public name, for example `database`. */
  part: string;
  critical: boolean;
  /** Time for which a result is reused, in milliseconds; missing: none. */
  keptForMs?: number;
  /** @throws NotReady, or any error, when the part does not hold; its message is the cause */
  check: () => Promise<void>;
}

/** A part does not hold. The message is the cause, in one sentence without a period. */
export class NotReady extends Error {
  override readonly name = 'NotReady';

  constructor(
    cause: string,
    /** The remedy for the operator, in one sentence. */
    readonly remedy: string,
  ) {
    super(cause);
  }
}

export interface HealthReport {
  status: 'ready' | 'degraded' | 'unavailable';
  parts: Record<string, 'up' | 'down'>;
}

const PATIENCE_MS = 2_000;

/** Checks all parts concurrently; a silent one counts as down. */
export async function examine(
  checks: readonly HealthCheck[],
  patienceMs = PATIENCE_MS,
): Promise<HealthReport> {
  const found = await Promise.all(
    checks.map(async ({ part, critical, check }) => ({
      part,
      critical,
      up: await answers(check, patienceMs),
    })),
  );
  const down = found.filter(({ up }) => !up);
  return {
    status: down.some(({ critical }) => critical)
      ? 'unavailable'
      : down.length > 0
        ? 'degraded'
        : 'ready',
    parts: Object.fromEntries(found.map(({ part, up }) => [part, up ? 'up' : 'down'])),
  };
}

async function answers(check: () => Promise<void>, patienceMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), patienceMs);
  });
  try {
    return await Promise.race([
      check().then(
        () => true,
        () => false,
      ),
      silence,
    ]);
  } finally {
    clearTimeout(timer);
  }
}
