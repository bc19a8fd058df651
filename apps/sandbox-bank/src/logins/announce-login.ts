import { readCustomData, type CustomData } from '../customers/custom-data.js';
import { findInstitution, type InstitutionDefinition } from '../institutions/institutions.js';
import type { FaultGate } from '../faults/fault-gate.js';
import { BankError } from '../http/bank-error.js';
import type { BankRequest } from '../http/bank-request.js';
import { readText, readTextOrNull } from '../http/read-text.js';
import { readWorld } from '../http/read-world.js';
import { readWorldTime } from '../http/world-time.js';
import type { Login, LoginStore } from './login-store.js';
import type { WorldStore } from '../storage/worlds.js';

/** Custom data may contain 5000 rows. */
const MOST_BODY_BYTES = 4 * 1024 * 1024;
/**
 * Real time a login may take: as long as a session of Connect, or as an OAuth request (connect 7).
 */
const LASTS_MS = { steps: 60 * 60_000, pages: 15 * 60_000 };

export interface LoginAnnouncementParts {
  logins: Pick<LoginStore, 'create'>;
  worlds: Pick<WorldStore, 'exists' | 'ensure'>;
  meetFaults: FaultGate;
  clock: () => Date;
}

export interface AnnouncedLogin {
  login: Login;
  institution: InstitutionDefinition;
  body: Readonly<Record<string, unknown>>;
}

/** Starts a login. The same Idempotency-Key returns the same login, in its current state. */
export async function announceLogin(
  { logins, worlds, meetFaults, clock }: LoginAnnouncementParts,
  request: BankRequest,
): Promise<AnnouncedLogin> {
  const institution = findInstitution(request.param('institutionId'));
  if (institution === null)
    throw new BankError('unknown_institution', 'There is no such institution.');
  const { institutionId, login: kind } = institution;
  if (kind === 'none') throw new BankError('invalid_request', 'This institution has no login.');
  const idempotencyKey = request.idempotencyKey();
  const body = await request.jsonObject(MOST_BODY_BYTES);
  const worldId = await readWorld(body, worlds);
  await meetFaults({ worldId, institutionId, operation: 'login', useKey: idempotencyKey });
  const login = await logins.create({
    institutionId,
    worldId,
    customerReference: readText(body, 'customer_reference', 600),
    isRelink: body['is_relink'] === true,
    previousConnectionId: readTextOrNull(body, 'previous_connection_id', 100),
    customData: readCustom(body),
    idempotencyKey,
    expiresAt: new Date(clock().getTime() + LASTS_MS[kind]),
    worldTime: readWorldTime(request),
  });
  if (login === null)
    throw new BankError(
      'idempotency_conflict',
      'This Idempotency-Key was used for another request.',
    );
  return { login, institution, body };
}

function readCustom(body: Readonly<Record<string, unknown>>): CustomData | null {
  const value = body['custom_data'];
  if (value === undefined || value === null) return null;
  const read = readCustomData(value);
  if ('wrongAt' in read)
    throw new BankError(
      'invalid_request',
      `custom_data is not of the agreed form at "${read.wrongAt}".`,
    );
  return read.data;
}
