import { ApiError } from '../../../../domain/errors/api-errors.js';

/** One thing that later answers do differently. Source: native-api 6. */
export interface VersionChange {
  /** For people who move on to the version. */
  summary: string;
  /** Calls it touches, by method and path: `GET /links/:id`. */
  calls: readonly string[];
  /** Makes an answer look as it did before this change. Pure; must not change what it is given. */
  undo(answer: unknown): unknown;
}

export interface ApiVersion {
  /** `YYYY-MM-DD`. */
  date: string;
  changes: readonly VersionChange[];
}

/**
 * Every version there is, oldest first. Code answers in the newest one; a caller of an earlier one gets the changes
 * since undone, newest first. docs/decisions/0009 says how to add one.
 */
export const API_VERSIONS: readonly ApiVersion[] = [{ date: '2023-02-18', changes: [] }];

/** The version a request is answered in; without a header the first one. @throws ApiError for an unknown or malformed one */
export function versionOf(header: string | string[] | undefined, versions = API_VERSIONS): string {
  const date = header ?? versions[0]?.date;
  if (typeof date !== 'string' || !versions.some((version) => version.date === date))
    throw new ApiError('api_error.request.unsupported_version');
  return date;
}

/** Changes after `date` that touch a call, newest first. */
export function changesSince(date: string, call: string, versions = API_VERSIONS): VersionChange[] {
  const later = versions.filter((version) => version.date > date);
  return later
    .flatMap(({ changes }) => changes.filter(({ calls }) => calls.includes(call)))
    .reverse();
}

export function undoAll(changes: readonly VersionChange[], answer: unknown): unknown {
  return changes.reduce((shown, change) => change.undo(shown), answer);
}
