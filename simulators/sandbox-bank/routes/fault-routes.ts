import { z } from 'zod';
import { FAULT_KINDS, FAULT_OPERATIONS } from '../../../domain/sandbox/sandbox-fault.js';
import type { Bank } from '../bank.js';
import type { Fault } from '../faults/fault-store.js';
import { BankError } from '../http/bank-error.js';
import { institutionOf, queryValue, readBody } from '../http/bank-request.js';
import type { Routes } from '../../http/routes.js';
import { enterWorld, WORLD_FIELDS } from '../http/world.js';
import { storableText } from '../storage/value-forms.js';

const FaultForm = z.object({
  ...WORLD_FIELDS,
  fault_id: storableText(100),
  operation: z.enum(FAULT_OPERATIONS),
  kind: z.enum(FAULT_KINDS),
  count: z.number().min(0).max(1_000).nullable(),
  delay_seconds: z.number().min(0).max(120),
  retry_after_seconds: z.number().min(0).max(86_400).nullable(),
});

/** Faults of institutions, and their worlds. Source: link-lifecycle 14. */
export function faultRoutes({ faults, worlds }: Bank): Routes {
  return {
    // The same id again is the same fault.
    'POST /v1/institutions/{institutionId}/faults': async (request) => {
      const body = await readBody(request, FaultForm);
      const fault = await faults.create({
        faultId: body.fault_id,
        worldId: await enterWorld(worlds, body),
        institutionId: institutionOf(request).institutionId,
        operation: body.operation,
        kind: body.kind,
        remaining: body.count,
        delaySeconds: body.delay_seconds,
        retryAfterSeconds: body.retry_after_seconds,
      });
      return { status: 201, json: shown(fault) };
    },
    'GET /v1/institutions/{institutionId}/faults': async (request) => {
      const { institutionId } = institutionOf(request);
      const found = await faults.list(queryValue(request, 'world') ?? '', institutionId);
      return { status: 200, json: { faults: found.map(shown) } };
    },
    'GET /v1/faults/{faultId}': async (request) => {
      const fault = await faults.find(request.param('faultId'));
      if (fault === null) throw new BankError('not_found', 'Fault not found.');
      return { status: 200, json: shown(fault) };
    },
    'DELETE /v1/faults/{faultId}': async (request) => {
      await faults.lift(request.param('faultId'));
      return { status: 204 };
    },
    // Deletes a world and everyone in it.
    'DELETE /v1/worlds/{worldId}': async (request) => {
      await worlds.forget(request.param('worldId'));
      return { status: 204 };
    },
  };
}

function shown(fault: Fault) {
  return {
    fault_id: fault.faultId,
    world: fault.worldId,
    institution_id: fault.institutionId,
    operation: fault.operation,
    kind: fault.kind,
    remaining: fault.remaining,
    delay_seconds: fault.delaySeconds,
    retry_after_seconds: fault.retryAfterSeconds,
    created_at: fault.createdAt.toISOString(),
  };
}
