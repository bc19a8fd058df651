import { createKeyActivities } from '../../../../activities/keys/key-activities.js';
import type { Context } from '../../../../prisma/context.js';
import { KeyRotationRepository } from '../../../../prisma/keys/key-rotation.repository.js';

/** The rotation of signing keys. */
export function createKeyParts(ctx: Context) {
  const rotations = new KeyRotationRepository(ctx);
  return {
    rotations,
    databaseActivities: createKeyActivities({ rotations, now: ctx.clock }),
  };
}
