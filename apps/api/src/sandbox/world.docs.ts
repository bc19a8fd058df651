import { z } from 'zod';
import { json, routeDocs } from '../http/route-docs.js';
import { advance, world } from '../openapi/models/sandbox.model.js';

/** Source: link-lifecycle 14, Worlds. */
export const worldDocs = routeDocs('Sandbox', {
  create: {
    id: 'sandbox.createWorld',
    summary: 'Create a world with a clock of its own',
    response: json(world),
  },
  list: {
    id: 'sandbox.listWorlds',
    summary: 'List the worlds of this app',
    response: json(z.object({ worlds: z.array(world) })),
  },
  show: {
    id: 'sandbox.getWorld',
    summary: 'Get a world',
    response: json(world),
    errors: ['sandbox_error.not_found'],
  },
  advance: {
    id: 'sandbox.advanceWorld',
    summary: 'Move the clock of a world and run what is due',
    response: json(advance),
    errors: ['sandbox_error.not_found'],
  },
  erase: {
    id: 'sandbox.deleteWorld',
    summary: 'Erase a world and all its links',
    response: { kind: 'nothing' },
    errors: ['sandbox_error.not_found'],
  },
});
