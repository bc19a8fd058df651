import type { ConsoleGrant } from '../../../../prisma/operations/console/console-grant.js';
import type { ConsoleSessionRecord } from '../../../../prisma/operations/console/console-session.repository.js';
import { ConsoleFailure, notFound } from './console-failure.js';
import type { Level, Person, Role } from './person.js';

/** Destroying and revealing want a sign-in that is younger. */
export const RECENT_SIGN_IN_MS = 600_000;

/** The part of a call that decides whether a person may make it. */
export interface AccessRequest {
  roles: readonly Role[];
  level: Level;
  /** The app in its path; null = it concerns the instance, or no app alone. */
  appId: string | null;
  /** True: test data or a Sandbox key alone is concerned. */
  isSandbox: boolean;
}

/**
 * The person as whom a call is made.
 * @throws ConsoleFailure 404 when the person may not know of it, 403 for a change by a read-only sign-in or without
 *   a recent sign-in
 */
export function admit(
  { actor, grants, signedInAt }: ConsoleSessionRecord,
  { roles, level, appId, isSandbox }: AccessRequest,
  now: Date,
): Person {
  const grant = strongest(
    grants.filter((each) => reaches(each, appId) && roles.includes(each.role)),
  );
  if (grant === null) throw notFound();
  if (level !== 'read' && grant.isReadOnly)
    throw new ConsoleFailure(
      403,
      'console.read_only',
      'This sign-in may read, and change nothing.',
    );
  const isGrave = (level === 'destroy' || level === 'reveal') && !isSandbox;
  if (isGrave && now.getTime() - signedInAt.getTime() > RECENT_SIGN_IN_MS)
    throw new ConsoleFailure(
      403,
      'console.recent_sign_in_needed',
      'This needs a sign-in of the last ten minutes: sign in again, then repeat it.',
    );
  return { actor, ...grant };
}

/** Calls that concern no app alone reach every person, and look up what each may see. */
function reaches({ role, appId: own }: ConsoleGrant, appId: string | null): boolean {
  return role === 'operator' || appId === null || appId === own;
}

function strongest(grants: readonly ConsoleGrant[]): ConsoleGrant | null {
  const [first] = [...grants].sort(
    (a, b) =>
      Number(a.isReadOnly) - Number(b.isReadOnly) ||
      Number(b.role === 'operator') - Number(a.role === 'operator'),
  );
  return first ?? null;
}
