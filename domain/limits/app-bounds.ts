/** `held`: stored data, which deleting frees. `daily`: use since 00:00 UTC. */
export type BoundKind = 'held' | 'daily';

export interface AppBound {
  kind: BoundKind;
  /** The setting that holds the default for all apps. */
  setting: string;
  default: number;
  /** The counted things, as a refusal names them. */
  counts: string;
  /** As docs/settings.md describes the setting. */
  meaning: string;
}

/**
 * The amounts that one app may store in one environment, for everything its key pair can grow. The
 * table of docs/operating/limits.md lists the bound of each kind of row.
 */
export const APP_BOUNDS = {
  links: {
    kind: 'held',
    setting: 'LINKS_PER_APP',
    default: 1_000_000,
    counts: 'links',
    meaning:
      'Links that an app may hold; further sessions and imports are refused with 429. `apps limit` gives one app another bound, of this and of those below',
  },
  rows: {
    kind: 'held',
    setting: 'ROWS_PER_APP',
    default: 100_000_000,
    counts: 'stored versions of transactions',
    meaning:
      'Stored versions of transactions that an app may hold, about 1 kB each; further imports and Sandbox calls are refused. Refreshes of its links continue',
  },
  imported_bytes: {
    kind: 'daily',
    setting: 'IMPORTED_BYTES_PER_DAY',
    default: 2_000_000_000,
    counts: 'bytes of imports, custom sandbox data and scripts',
    meaning: 'Bytes of imports, custom sandbox data and scripts that an app may send per UTC day',
  },
  sessions: {
    kind: 'daily',
    setting: 'SESSIONS_PER_DAY',
    default: 200_000,
    counts: 'link sessions and imported links',
    meaning: 'Link sessions and imported links of an app per UTC day',
  },
  sandbox_calls: {
    kind: 'daily',
    setting: 'SANDBOX_CALLS_PER_DAY',
    default: 100_000,
    counts: 'Sandbox calls that change something',
    meaning: 'Calls of an app per UTC day with an effect in Sandbox',
  },
  test_events: {
    kind: 'daily',
    setting: 'TEST_EVENTS_PER_DAY',
    default: 20_000,
    counts: 'test webhooks',
    meaning: 'Test webhooks of an app per UTC day',
  },
  replays: {
    kind: 'daily',
    setting: 'REPLAYS_PER_DAY',
    default: 1_000_000,
    counts: 'replayed and acknowledged webhooks',
    meaning: 'Replayed webhooks of an app per UTC day',
  },
  idempotency_records: {
    kind: 'daily',
    setting: 'IDEMPOTENCY_RECORDS_PER_DAY',
    default: 500_000,
    counts: 'uses of an Idempotency-Key',
    meaning: 'First uses of an `Idempotency-Key` of an app per UTC day',
  },
  access_tokens: {
    kind: 'daily',
    setting: 'ACCESS_TOKENS_PER_DAY',
    default: 1_000_000,
    counts: 'access tokens',
    meaning: 'Access tokens of an app per UTC day',
  },
  simplefin_tokens: {
    kind: 'daily',
    setting: 'SIMPLEFIN_TOKENS_PER_DAY',
    default: 20_000,
    counts: 'SimpleFIN setup tokens',
    meaning: 'SimpleFIN setup tokens of an app per UTC day, each of which may name a new user',
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
