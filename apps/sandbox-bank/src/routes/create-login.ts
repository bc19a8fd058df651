import { readCustomData, type CustomData } from '../data/custom-data.js';
import { findInstitution, type InstitutionDefinition } from '../data/institutions.js';
import { BankError } from '../http/bank-error.js';
import { readText, readTextOrNull } from '../http/read-text.js';
import type { Route } from '../http/route.js';
import type { LoginDesk } from '../logins/login-desk.js';
import type { ConnectionStore } from '../storage/connections.js';
import type { LoginStore } from '../storage/logins.js';

/** Custom data may hold 5000 rows. */
const MOST_BODY_BYTES = 4 * 1024 * 1024;
/** Real time a login may take: as long as a session of Connect, or as an OAuth request (connect 7). */
const LASTS_MS = { steps: 60 * 60_000, pages: 15 * 60_000 };

export interface LoginRouteParts {
  logins: Pick<LoginStore, 'create' | 'find'>;
  connections: Pick<ConnectionStore, 'findWorld'>;
  desk: LoginDesk;
  clock: () => Date;
}

/** Begins a login. The same Idempotency-Key gives the same login, wherever it is by now. */
export function createLoginRoute({ logins, connections, desk, clock }: LoginRouteParts): Route {
  return {
    method: 'POST',
    path: '/v1/institutions/{institutionId}/logins',
    async handle(request) {
      const institution = findInstitution(request.param('institutionId'));
      if (institution === null) throw new BankError('unknown_institution', 'There is no such institution.');
      const { login: kind } = institution;
      if (kind === 'none') throw new BankError('invalid_request', 'This institution has no login.');
      const idempotencyKey = request.idempotencyKey();
      const body = await request.jsonObject(MOST_BODY_BYTES);
      const login = await logins.create({
        institutionId: institution.institutionId,
        worldId: await readWorld(body, connections),
        customerReference: readText(body, 'customer_reference', 600),
        isRelink: body['is_relink'] === true,
        previousConnectionId: readTextOrNull(body, 'previous_connection_id', 100),
        customData: readCustom(body),
        idempotencyKey,
        expiresAt: new Date(clock().getTime() + LASTS_MS[kind]),
      });
      if (login === null) throw new BankError('idempotency_conflict', 'This Idempotency-Key was used for another request.');
      return { status: 201, body: isOnPages(institution) ? { login_id: login.loginId, status: 'ON_PAGES' } : await desk.show(login) };
    },
  };
}

/** Such a login is known to a browser by its id, so that nothing may be read or done with the id alone. */
export function isOnPages(institution: InstitutionDefinition | null): boolean {
  return institution?.login === 'pages';
}

async function readWorld(body: Readonly<Record<string, unknown>>, connections: Pick<ConnectionStore, 'findWorld'>): Promise<string> {
  const worldId = readText(body, 'world', 100);
  if ((await connections.findWorld(worldId)) === null) throw new BankError('unknown_world', 'There is no such world.');
  return worldId;
}

function readCustom(body: Readonly<Record<string, unknown>>): CustomData | null {
  const value = body['custom_data'];
  if (value === undefined || value === null) return null;
  const read = readCustomData(value);
  if ('wrongAt' in read) throw new BankError('invalid_request', `custom_data is not of the agreed form at "${read.wrongAt}".`);
  return read.data;
}
