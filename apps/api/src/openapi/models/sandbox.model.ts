import { z } from 'zod';
import { FAULT_KINDS, FAULT_OPERATIONS } from '../../../../../domain/sandbox/sandbox-fault.js';
import { link } from './link.model.js';
import { idOf, linkId, timestamp, transactionId } from './values.model.js';

const worldId = z
  .string()
  .meta({ id: 'WorldId', description: '`default`, or the id of a world of this app.' });

export const faultOperation = z
  .enum(FAULT_OPERATIONS)
  .meta({ id: 'FaultOperation', description: 'The calls to the institution that a fault hits.' });
export const faultKind = z
  .enum(FAULT_KINDS)
  .meta({ id: 'FaultKind', description: 'How the calls fail.' });

/** Source: link-lifecycle 14. */
export const fault = z
  .object({
    fault_id: idOf('flt_').describe('The id of the fault.'),
    institution_id: z.string().describe('The institution that is hit.'),
    world_id: worldId.describe('The world whose links are hit.'),
    operation: faultOperation.describe('The calls that are hit.'),
    kind: faultKind.describe('How they fail.'),
    remaining: z.int().nullable().describe('Remaining uses; null = until the fault is deleted.'),
    delay_seconds: z.number().describe('How long a slow call takes.'),
    retry_after_seconds: z
      .int()
      .nullable()
      .describe('The wait that the institution asks for; null = none.'),
    created_at: timestamp.describe('In real time.'),
  })
  .meta({ id: 'Fault', description: 'A fault of a sandbox bank.' });

export const world = z
  .object({
    world_id: worldId,
    name: z.string().describe('The name that it was given; may be empty.'),
    now: timestamp.describe('The clock of the world, which moves only in an advance.'),
    seed: z.int().meta({ format: 'int64', description: 'The seed of its data.' }),
    enforce_refresh_limits: z.boolean().describe('Refreshes on demand have the limits of Live.'),
    created_at: timestamp.describe('In real time.'),
  })
  .meta({ id: 'World', description: 'A sandbox with a clock of its own.' });

export const advance = z.object({
  world,
  ran: z
    .object({
      scheduled_refreshes: z.int().describe('Scheduled refreshes that ran.'),
      settled_rows: z.int().describe('Pending transactions that were posted.'),
      expired_auths: z.int().describe('Permissions that ended.'),
      events: z.int().describe('Webhook events that were made.'),
    })
    .meta({ id: 'WorldAdvanceCounts', description: 'What became due, in numbers.' }),
  settled: z.boolean().describe('False = the advance is still running.'),
});

/** Source: link-lifecycle 14. */
export const changeOutcome = z
  .object({
    link_id: linkId,
    applied: z.int().describe('Steps that were carried out.'),
    refreshed: z.boolean().describe('The changed data was fetched afterwards.'),
  })
  .meta({ id: 'SandboxChange', description: 'A script that was carried out at the sandbox bank.' });

export const scriptOutcome = z.object({
  link_id: linkId,
  applied: z.int().describe('Steps that were carried out.'),
  refreshed: z.boolean().describe('The transactions were fetched afterwards.'),
  rows: z
    .array(
      z
        .object({
          ref: z.string().describe('The name that the script gave the row.'),
          transaction_id: transactionId.nullable().describe('Null until a fetch has read the row.'),
          status: z
            .enum(['pending', 'posted', 'gone'])
            .meta({
              id: 'ScriptedTransactionStatus',
              description: 'A row of a sandbox bank: pending, posted, or no longer there.',
            })
            .describe('The row at the bank now.'),
        })
        .meta({ id: 'ScriptedTransaction', description: 'A row that a script named.' }),
    )
    .describe('The rows that the script named.'),
});

/**
 * `result` tells both apart. The document names no discriminator: the Rust that OpenAPI Generator
 * writes for one looks for it a second time, and reads nothing. Source: link-lifecycle 14, decision 0059.
 */
export const sandboxLink = z
  .xor([
    z
      .object({
        result: z.literal('link').describe('The result that was requested, or none was.'),
        link_id: linkId,
        link,
      })
      .meta({ id: 'CreatedSandboxLink', description: 'The link itself, which is the default.' }),
    z
      .object({
        result: z.literal('exchangeable_token').describe('The result that was requested.'),
        exchangeable_token: z.string().describe('The token to exchange for the link.'),
        expires_in: z.int().describe('Seconds until the token expires.'),
      })
      .meta({
        id: 'CreatedSandboxToken',
        description: 'The token that a front end would receive.',
      }),
  ])
  .describe('What was created; `result` tells which.');
