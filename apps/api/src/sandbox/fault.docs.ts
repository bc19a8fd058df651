import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';
import { fault } from '../openapi/models/sandbox.model.js';

/** Source: link-lifecycle 14, Faults. */
export const faultDocs = routeDocs('Sandbox', {
  create: {
    id: 'sandbox.createFault',
    summary: 'Create a fault at an institution',
    response: json(fault),
    errors: ['institution_error.not_found', 'sandbox_error.not_found'],
  },
  list: {
    id: 'sandbox.listFaults',
    summary: 'List the faults that are not used up',
    response: json(z.object({ faults: z.array(fault) })),
    errors: ['institution_error.not_found'],
  },
  lift: {
    id: 'sandbox.deleteFault',
    summary: 'Delete a fault',
    response: { kind: 'nothing' },
    errors: ['sandbox_error.not_found'],
  },
});
