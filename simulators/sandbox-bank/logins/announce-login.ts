import { z } from 'zod';
import type { Bank } from '../bank.js';
import { CustomData } from '../customers/custom-data.js';
import { DATA_AREAS } from '../institutions/data-areas.js';
import { BankError } from '../http/bank-error.js';
import { idempotencyKeyOf, institutionOf, readBody, worldTimeOf } from '../http/bank-request.js';
import type { SimulatorRequest } from '../../http/request.js';
import { enterWorld, WORLD_FIELDS } from '../http/world.js';
import type { InstitutionDefinition } from '../institutions/institutions.js';
import { storableText } from '../storage/value-forms.js';
import type { Login } from './login-store.js';

/** Custom data may contain 5000 rows. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
/**
 * Real time a login may take: as long as a session of Connect, or as an OAuth request (connect 7).
 */
const LASTS_MS = { steps: 60 * 60_000, pages: 15 * 60_000 };

export const LoginForm = z.object({
  ...WORLD_FIELDS,
  customer_reference: storableText(600),
  is_relink: z.boolean().nullish(),
  previous_connection_id: storableText(100).nullish(),
  custom_data: CustomData.nullish(),
  areas: z.array(z.enum(DATA_AREAS)).default([]),
});

export interface AnnouncedLogin<Body> {
  login: Login;
  institution: InstitutionDefinition;
  body: Body;
}

/** Starts a login. The same Idempotency-Key returns the same login, in its current state. */
export async function announceLogin<Form extends typeof LoginForm>(
  { logins, worlds, meetFaults }: Bank,
  request: SimulatorRequest,
  form: Form,
): Promise<AnnouncedLogin<z.output<Form>>> {
  const institution = institutionOf(request);
  const { institutionId, login: kind } = institution;
  if (kind === 'none') throw new BankError('invalid_request', 'This institution has no login.');
  const idempotencyKey = idempotencyKeyOf(request);
  const body = await readBody(request, form, MAX_BODY_BYTES);
  const worldId = await enterWorld(worlds, body);
  await meetFaults({ worldId, institutionId, operation: 'login', useKey: idempotencyKey });
  const login = await logins.create({
    institutionId,
    worldId,
    customerReference: body.customer_reference,
    isRelink: body.is_relink ?? false,
    previousConnectionId: body.previous_connection_id ?? null,
    customData: body.custom_data ?? null,
    areas: body.areas,
    idempotencyKey,
    expiresAt: new Date(Date.now() + LASTS_MS[kind]),
    worldTime: worldTimeOf(request),
  });
  if (login === null) throw keyUsedElsewhere();
  return { login, institution, body };
}

export function keyUsedElsewhere(): BankError {
  return new BankError(
    'idempotency_conflict',
    'This Idempotency-Key was used for another request.',
  );
}
