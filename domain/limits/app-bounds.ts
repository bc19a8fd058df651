/** `held`: stored data, which deleting frees. `daily`: use since 00:00 UTC. */
export type BoundKind = 'held' | 'daily';

export interface AppBound {
  kind: BoundKind;
  /** The setting that holds the default for all apps. */
  setting: string;
  /** The counted things, as a refusal names them. */
  counts: string;
}

/**
 * The amounts that one app may store in one environment, for everything its key pair can grow. The
 * table of docs/operating/limits.md lists the bound of each kind of row.
 */
export const APP_BOUNDS = {
  links: { kind: 'held', setting: 'LINKS_PER_APP', counts: 'links' },
  rows: { kind: 'held', setting: 'ROWS_PER_APP', counts: 'stored versions of transactions' },
  imported_bytes: {
    kind: 'daily',
    setting: 'IMPORTED_BYTES_PER_DAY',
    counts: 'bytes of imports, custom sandbox data and scripts',
  },
  sessions: {
    kind: 'daily',
    setting: 'SESSIONS_PER_DAY',
    counts: 'link sessions and imported links',
  },
  sandbox_calls: {
    kind: 'daily',
    setting: 'SANDBOX_CALLS_PER_DAY',
    counts: 'Sandbox calls that change something',
  },
  test_events: { kind: 'daily', setting: 'TEST_EVENTS_PER_DAY', counts: 'test webhooks' },
  replays: {
    kind: 'daily',
    setting: 'REPLAYS_PER_DAY',
    counts: 'replayed and acknowledged webhooks',
  },
  idempotency_records: {
    kind: 'daily',
    setting: 'IDEMPOTENCY_RECORDS_PER_DAY',
    counts: 'uses of an Idempotency-Key',
  },
  access_tokens: { kind: 'daily', setting: 'ACCESS_TOKENS_PER_DAY', counts: 'access tokens' },
  simplefin_tokens: {
    kind: 'daily',
    setting: 'SIMPLEFIN_TOKENS_PER_DAY',
    counts: 'SimpleFIN setup tokens',
  },
} as const satisfies Record<string, AppBound>;

export type BoundName = keyof typeof APP_BOUNDS;
export const BOUND_NAMES = Object.keys(APP_BOUNDS) as BoundName[];

/** The maximum of each for one app and environment. */
export type AppBounds = Readonly<Record<BoundName, number>>;

/** For programs that do not serve apps. */
export const UNBOUNDED = Object.fromEntries(
  BOUND_NAMES.map((name) => [name, Number.MAX_SAFE_INTEGER]),
) as AppBounds;

/** The placeholder day of `held` bounds, which do not count by day. */
const NO_DAY = '1970-01-01';
const DAY_MS = 86_400_000;

/** The day under which a use at `now` is counted, `YYYY-MM-DD`. */
export function countedOn(bound: BoundName, now: Date): string {
  return APP_BOUNDS[bound].kind === 'held' ? NO_DAY : now.toISOString().slice(0, 10);
}

/** An hour: an app's stored data changes when the app deletes some, not by waiting. */
const HELD_RETRY_SECONDS = 3_600;

/** The request would exceed a bound of its app. It has no effect. Source: native-api 8. */
export class BoundReached extends Error {
  override readonly name = 'BoundReached';
  /**
   * The time until a daily count restarts; for `held` bounds, a reasonable delay before another
   * try.
   */
  readonly retryAfterSeconds: number;

  constructor(
    readonly bound: BoundName,
    /** The limit of this app. */
    readonly max: number,
    now: Date,
    { isOfPair = false }: { isOfPair?: boolean } = {},
  ) {
    const { kind, setting, counts } = APP_BOUNDS[bound];
    super(
      kind === 'held'
        ? `This app may hold ${max} ${counts} in this environment (${setting}). Delete some of its links, or ask the operator for more.`
        : isOfPair
          ? `This key pair may use ${max} ${counts} per day, its share of what its app may use (${setting}). The count starts again at 00:00 UTC.`
          : `This app may use ${max} ${counts} per day in this environment (${setting}). The count starts again at 00:00 UTC.`,
    );
    this.retryAfterSeconds =
      kind === 'held'
        ? HELD_RETRY_SECONDS
        : Math.max(1, Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1_000));
  }
}
