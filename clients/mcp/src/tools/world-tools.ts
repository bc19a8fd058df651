import { z } from 'zod';
import type { World } from '@tributary/node';
import { untrustedText } from '../results/untrusted-text.js';
import { id, offset, rowsFrom } from '../serving/inputs.js';
import { defineTool } from '../serving/tool.js';

const scope = 'sandbox:write';
const worldId = id.describe('From list_worlds.');

/** A world for an assistant. Other holders of a Sandbox pair chose its name. */
export function worldResult({ name, ...world }: World) {
  return { ...world, untrusted_name: untrustedText(name) };
}

export const worldTools = [
  defineTool({
    name: 'list_worlds',
    description: 'List the worlds: links with a clock of their own.',
    scope,
    input: z.strictObject({ offset }),
    async run({ offset: from }, { tributary, options }) {
      const { rows: worlds, next_offset } = rowsFrom(
        (await tributary.sandbox.listWorlds(options)).worlds,
        from,
      );
      return { worlds: worlds.map(worldResult), next_offset };
    },
  }),
  defineTool({
    name: 'create_world',
    description: 'Create a world, whose clock stands still until it is advanced.',
    scope,
    writes: true,
    input: z.strictObject({
      name: z.string().max(100).optional(),
      start: z.string().max(40).optional().describe('Such as 2026-03-02T00:00:00; by default now.'),
      seed: z.int().optional().describe('The same seed and calls give the same data.'),
    }),
    async run(body, { tributary, options }) {
      return worldResult(await tributary.sandbox.createWorld(body, options));
    },
  }),
  defineTool({
    name: 'advance_world',
    description:
      'Move the clock of a world, with everything that is due meanwhile. When settled is false, call it again.',
    scope,
    writes: true,
    input: z.strictObject({
      world_id: worldId,
      by: z.string().max(40).describe('A duration of ISO 8601 of at most 366 days, such as P1D.'),
    }),
    async run({ world_id: id, by }, { tributary, options }) {
      const { world, ...more } = await tributary.sandbox.advanceWorld(id, { by }, options);
      return { world: worldResult(world), ...more };
    },
  }),
  defineTool({
    name: 'delete_world',
    description: 'Delete a world with its links.',
    scope,
    writes: true,
    input: z.strictObject({ world_id: worldId }),
    async run({ world_id }, { tributary, options }) {
      await tributary.sandbox.deleteWorld(world_id, options);
      return { world_id, deleted: true };
    },
  }),
];
