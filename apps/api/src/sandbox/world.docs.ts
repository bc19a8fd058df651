import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';
import { advance, world } from '../openapi/models/sandbox.model.js';

/** Source: link-lifecycle 14, Worlds. */
export const worldDocs = routeDocs('Sandbox', {
  create: {
    id: 'sandbox.createWorld',
    summary: 'Create a world with a clock of its own',
    description:
      'A world is an isolated sandbox whose clock stands still until you advance it. Create sessions and links in it with `world_id`. With the same `seed` and the same calls, its data is the same except for ids.',
    response: json(world),
  },
  list: {
    id: 'sandbox.listWorlds',
    summary: 'List the worlds of this app',
    description: 'Includes the world `default`, which follows real time.',
    response: json(z.object({ worlds: z.array(world).describe('The worlds of this app.') })),
  },
  show: {
    id: 'sandbox.getWorld',
    summary: 'Get a world',
    description: 'Shows the clock of the world.',
    response: json(world),
    errors: ['sandbox_error.not_found'],
  },
  advance: {
    id: 'sandbox.advanceWorld',
    summary: 'Move the clock of a world and run what is due',
    description:
      'Runs what is due in order of time: scheduled refreshes, pending transactions that are posted, ends of permissions. It returns after at most 60 seconds; `settled` is false while work continues. At most 366 days at once.',
    response: json(advance),
    errors: ['sandbox_error.not_found'],
  },
  erase: {
    id: 'sandbox.deleteWorld',
    summary: 'Erase a world and all its links',
    description:
      'Its links are erased at once, without webhooks; later calls on them return 404. The world `default` cannot be deleted.',
    response: { kind: 'nothing' },
    errors: ['sandbox_error.not_found'],
  },
});
