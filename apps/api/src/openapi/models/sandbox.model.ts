import { z } from 'zod';
import { FAULT_KINDS, FAULT_OPERATIONS } from '../../../../../domain/sandbox/sandbox-fault.js';
import { link } from './link.model.js';
import { idOf, linkId, timestamp, transactionId } from './values.model.js';

const worldId = z
  .string()
  .meta({ id: 'WorldId', description: '`default`, or the id of a world of this app.' });

export const faultOperation = z.enum(FAULT_OPERATIONS).meta({ id: 'FaultOperation' });
export const faultKind = z.enum(FAULT_KINDS).meta({ id: 'FaultKind' });

/** Source: link-lifecycle 14. */
export const fault = z
  .object({
    fault_id: idOf('flt_'),
    institution_id: z.string(),
    world_id: worldId,
    operation: faultOperation,
    kind: faultKind,
    remaining: z.int().nullable().describe('Remaining uses; null = until the fault is deleted.'),
    delay_seconds: z.number(),
    retry_after_seconds: z.int().nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'Fault' });

export const world = z
  .object({
    world_id: worldId,
    name: z.string(),
    now: timestamp.describe('The clock of the world, which moves only in an advance.'),
    seed: z.int(),
    enforce_refresh_limits: z.boolean(),
    created_at: timestamp.describe('In real time.'),
  })
  .meta({ id: 'World' });

export const advance = z.object({
  world,
  ran: z
    .object({
      scheduled_refreshes: z.int(),
      settled_rows: z.int(),
      expired_auths: z.int(),
      events: z.int(),
    })
    .meta({ id: 'WorldAdvanceCounts' }),
  settled: z.boolean().describe('False = the advance is still running.'),
});

export const scriptOutcome = z.object({
  link_id: linkId,
  applied: z.int(),
  refreshed: z.boolean(),
  rows: z.array(
    z
      .object({
        ref: z.string(),
        transaction_id: transactionId.nullable().describe('Null until a fetch has read the row.'),
        status: z.enum(['pending', 'posted', 'gone']).meta({ id: 'ScriptedTransactionStatus' }),
      })
      .meta({ id: 'ScriptedTransaction' }),
  ),
});

export const sandboxLink = z.object({
  link_id: linkId.optional().describe('With the result `link`.'),
  link: link.optional().describe('With the result `link`.'),
  exchangeable_token: z.string().optional().describe('With the result `exchangeable_token`.'),
  expires_in: z
    .int()
    .optional()
    .describe('Seconds until the token expires, with the result `exchangeable_token`.'),
});
