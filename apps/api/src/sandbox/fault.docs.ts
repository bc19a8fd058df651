import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';
import { fault } from '../openapi/models/sandbox.model.js';

/** Source: link-lifecycle 14, Faults. */
export const faultDocs = routeDocs('Sandbox', {
  create: {
    id: 'sandbox.createFault',
    summary: 'Create a fault at an institution',
    description:
      'The next calls to the institution fail or are slow, as often as `count` says. Use it to test what your app does while a bank is down.',
    response: json(fault),
    errors: ['institution_error.not_found', 'sandbox_error.not_found'],
  },
  list: {
    id: 'sandbox.listFaults',
    summary: 'List the faults that are not used up',
    description:
      'Faults of all worlds of the app at this institution. Those that are used up are not listed.',
    response: json(
      z.object({ faults: z.array(fault).describe('The faults that are not used up.') }),
    ),
    errors: ['institution_error.not_found'],
  },
  lift: {
    id: 'sandbox.deleteFault',
    summary: 'Delete a fault',
    description: 'The institution works again from the next call on.',
    response: { kind: 'nothing' },
    errors: ['sandbox_error.not_found'],
  },
});
