import type { FaultKindInput, FaultOperationInput } from '@tributary/node';
import { z } from 'zod';
import { id, offset, rowsFrom } from '../serving/inputs.js';
import { defineTool } from '../serving/tool.js';

const scope = 'sandbox:write';
/** Complete by the types of the client, which come from the OpenAPI document. */
const OPERATIONS = Object.keys({
  login: true,
  accounts: true,
  account_numbers: true,
  identity: true,
  transactions: true,
  investments: true,
  liabilities: true,
  any: true,
} satisfies Record<FaultOperationInput, true>) as FaultOperationInput[];
const KINDS = Object.keys({
  slow: true,
  timeout: true,
  server_error: true,
  rate_limited: true,
  provider_down: true,
  malformed: true,
  auth_expired: true,
  not_supported: true,
  no_permission: true,
  no_accounts: true,
  unreadable_account: true,
  unreadable_row: true,
  unreadable_holding: true,
  unreadable_liability: true,
} satisfies Record<FaultKindInput, true>) as FaultKindInput[];
const institutionId = id.describe('A sandbox bank, such as sandbox-instant-bank.');

export const faultTools = [
  defineTool({
    name: 'list_faults',
    description: 'List the faults of a sandbox bank.',
    scope,
    input: z.strictObject({ institution_id: institutionId, offset }),
    async run({ institution_id: institution, offset: from }, { tributary, options }) {
      const { rows: faults, next_offset } = rowsFrom(
        (await tributary.sandbox.listFaults(institution, options)).faults,
        from,
      );
      return { faults, next_offset };
    },
  }),
  defineTool({
    name: 'create_fault',
    description:
      'Make an operation of a sandbox bank fail, a number of times or until the fault is deleted.',
    scope,
    writes: true,
    input: z.strictObject({
      institution_id: institutionId,
      operation: z.enum(OPERATIONS).optional(),
      kind: z.enum(KINDS),
      count: z.int().min(1).nullable().optional().describe('Null = until it is deleted.'),
      delay_seconds: z.number().min(0).optional().describe('More than 0 for slow.'),
      world_id: id.optional(),
    }),
    run: ({ institution_id: institution, ...body }, { tributary, options }) =>
      tributary.sandbox.createFault(institution, body, options),
  }),
  defineTool({
    name: 'delete_fault',
    description: 'Delete a fault, so that the bank works again.',
    scope,
    writes: true,
    input: z.strictObject({ fault_id: id.describe('From list_faults.') }),
    async run({ fault_id }, { tributary, options }) {
      await tributary.sandbox.deleteFault(fault_id, options);
      return { fault_id, deleted: true };
    },
  }),
];
