import { ApiError } from '../../../../domain/errors/api-errors.js';

/** One difference between a version's responses and the previous one's. Source: native-api 6. */
export interface VersionChange {
  /** Explains the change to users who upgrade. */
  summary: string;
  /** The affected calls, by method and path: `GET /links/:id`. */
  calls: readonly string[];
  /**
   * Restores the response to its form before this change. Pure; must not mutate its argument.
   * Missing = the call itself checks whether the caller knows the change (`LaterChanges`), because a
   * page cannot be completed afterwards.
   */
  undo?(answer: unknown): unknown;
}

export interface ApiVersion {
  /** `YYYY-MM-DD`. */
  date: string;
  changes: readonly VersionChange[];
}

/** Clients of the first version know three countries. */
export const ALL_COUNTRIES: VersionChange = {
  summary: 'Lists the institutions of all countries. Before, those of US, GB and CA.',
  calls: ['GET /institutions'],
};

/** Clients of earlier versions read each link in a call of its own. */
export const WHOLE_LINKS: VersionChange = {
  summary:
    'Lists whole links, 100 to a page unless `limit` says otherwise, at most 500. Before, only `link_id` and `created_at`, 1,000 to a page, at most 5,000.',
  calls: ['GET /links'],
};

/**
 * Every version, oldest first. The code produces responses of the newest version; for a caller of
 * an earlier one, later changes are undone, newest first. docs/decisions/0009 explains how to add a
 * version.
 */
export const API_VERSIONS: readonly ApiVersion[] = [
  { date: '2023-02-18', changes: [] },
  { date: '2026-11-25', changes: [ALL_COUNTRIES] },
  { date: '2026-11-27', changes: [WHOLE_LINKS] },
];

/** The version in which responses are built. */
export const NEWEST_VERSION = API_VERSIONS.at(-1)?.date;

/** The version of a call without the header: that of the first release, and until then the newest. Source: decision 0066. */
export const DEFAULT_VERSION = '2026-11-27';

/**
 * The version of a request.
 * @throws ApiError for an unknown or malformed version
 */
export function versionOf(header: string | string[] | undefined, versions = API_VERSIONS): string {
  const date = header ?? DEFAULT_VERSION;
  if (typeof date !== 'string' || !versions.some((version) => version.date === date))
    throw new ApiError('api_error.request.unsupported_version');
  return date;
}

/** The changes after `date` that affect a call, newest first. */
export function changesSince(date: string, call: string, versions = API_VERSIONS): VersionChange[] {
  const later = versions.filter((version) => version.date > date);
  return later
    .flatMap(({ changes }) => changes.filter(({ calls }) => calls.includes(call)))
    .reverse();
}

export function undoAll(changes: readonly VersionChange[], answer: unknown): unknown {
  return changes.reduce((shown, change) => change.undo?.(shown) ?? shown, answer);
}
