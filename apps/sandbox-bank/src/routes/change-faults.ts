import { findInstitution } from '../institutions/institutions.js';
import { FAULT_KINDS, FAULT_OPERATIONS } from '../faults/fault-kinds.js';
import { BankError } from '../http/bank-error.js';
import type { BankRequest } from '../http/bank-request.js';
import { readText } from '../http/read-text.js';
import { readWorld } from '../http/read-world.js';
import type { Route } from '../http/route.js';
import type { Fault, FaultStore } from '../faults/fault-store.js';
import type { WorldStore } from '../storage/worlds.js';

type Body = Readonly<Record<string, unknown>>;

export interface FaultRouteParts {
  faults: FaultStore;
  worlds: WorldStore;
}

/**
 * Creates a fault at an institution of one world. The same id again is the same fault. Source:
 * link-lifecycle 14.
 */
export function createFaultRoute({ faults, worlds }: FaultRouteParts): Route {
  return {
    method: 'POST',
    path: '/v1/institutions/{institutionId}/faults',
    async handle(request) {
      const body = await request.jsonObject();
      const fault = await faults.create({
        faultId: readText(body, 'fault_id', 100),
        worldId: await readWorld(body, worlds),
        institutionId: institutionOf(request),
        operation: readOneOf(body, 'operation', FAULT_OPERATIONS),
        kind: readOneOf(body, 'kind', FAULT_KINDS),
        remaining: body['count'] === null ? null : readNumber(body, 'count', 1_000),
        delaySeconds: readNumber(body, 'delay_seconds', 120),
        retryAfterSeconds:
          body['retry_after_seconds'] === null
            ? null
            : readNumber(body, 'retry_after_seconds', 86_400),
      });
      return { status: 201, body: shown(fault) };
    },
  };
}

export function listFaultsRoute({ faults }: Pick<FaultRouteParts, 'faults'>): Route {
  return {
    method: 'GET',
    path: '/v1/institutions/{institutionId}/faults',
    async handle(request) {
      const world = request.queryValue('world') ?? '';
      return {
        status: 200,
        body: { faults: (await faults.list(world, institutionOf(request))).map(shown) },
      };
    },
  };
}

export function readFaultRoute({ faults }: Pick<FaultRouteParts, 'faults'>): Route {
  return {
    method: 'GET',
    path: '/v1/faults/{faultId}',
    async handle(request) {
      const fault = await faults.find(request.param('faultId'));
      if (fault === null) throw new BankError('not_found', 'There is no such fault.');
      return { status: 200, body: shown(fault) };
    },
  };
}

export function liftFaultRoute({ faults }: Pick<FaultRouteParts, 'faults'>): Route {
  return {
    method: 'DELETE',
    path: '/v1/faults/{faultId}',
    async handle(request) {
      await faults.lift(request.param('faultId'));
      return { status: 204 };
    },
  };
}

/** Deletes a world and everyone in it. */
export function forgetWorldRoute({ worlds }: Pick<FaultRouteParts, 'worlds'>): Route {
  return {
    method: 'DELETE',
    path: '/v1/worlds/{worldId}',
    async handle(request) {
      await worlds.forget(request.param('worldId'));
      return { status: 204 };
    },
  };
}

function institutionOf(request: BankRequest): string {
  const institution = findInstitution(request.param('institutionId'));
  if (institution === null)
    throw new BankError('unknown_institution', 'There is no such institution.');
  return institution.institutionId;
}

function readOneOf<T extends string>(body: Body, name: string, values: readonly T[]): T {
  const found = values.find((value) => value === body[name]);
  if (found === undefined)
    throw new BankError('invalid_request', `${name} must be one of ${values.join(', ')}.`);
  return found;
}

function readNumber(body: Body, name: string, max: number): number {
  const value = body[name];
  if (typeof value !== 'number' || !(value >= 0 && value <= max))
    throw new BankError('invalid_request', `${name} must be 0..${max}.`);
  return value;
}

function shown(fault: Fault) {
  const {
    faultId,
    worldId,
    institutionId,
    operation,
    kind,
    remaining,
    delaySeconds,
    retryAfterSeconds,
    createdAt,
  } = fault;
  return {
    fault_id: faultId,
    world: worldId,
    institution_id: institutionId,
    operation,
    kind,
    remaining,
    delay_seconds: delaySeconds,
    retry_after_seconds: retryAfterSeconds,
    created_at: createdAt.toISOString(),
  };
}
