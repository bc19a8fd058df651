import { createKeyActivities } from '../../../../activities/keys/key-activities.js';
import type { Context } from '../../../../prisma/base/context.js';
import {
  KeyRotationRepository,
  type PublishedRotation,
} from '../../../../prisma/base/keys/key-rotation.repository.js';
import type { WorkerSettings } from '../../../platform/src/config/settings.js';
import type { Logger } from '../../../platform/src/logging/logger.js';

/** The rotation of signing keys. Its times come from the settings, never from a workflow. */
export function createKeyParts(
  ctx: Context,
  {
    signingKeyLead: leadMs,
    signingKeyOverlap: overlapMs,
    signingKeyRotation: everyMs,
  }: Pick<WorkerSettings, 'signingKeyLead' | 'signingKeyOverlap' | 'signingKeyRotation'>,
  logger: Logger,
) {
  const rotations = new KeyRotationRepository(ctx);
  const logged = <P extends PublishedRotation | null>(published: P): P => {
    if (published?.isNew)
      logger.info(
        {
          actor: 'service',
          action: 'rotate_signing_key',
          subject: published.kid,
          outcome: 'succeeded',
        },
        'audit.signing_key_rotated',
      );
    return published;
  };
  return {
    rotations,
    /** `keys rotate`: an operator's request needs no date. */
    publishRequested: async (rotation: string) =>
      logged(await rotations.publishNext(rotation, { leadMs, overlapMs })),
    databaseActivities: createKeyActivities({
      rotations: {
        publishDue: async (rotation) =>
          logged(await rotations.publishDue(rotation, { everyMs, leadMs, overlapMs })),
        eraseRetired: (now) => rotations.eraseRetired(now),
      },
      now: ctx.clock,
    }),
  };
}
