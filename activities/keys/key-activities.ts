import type {
  KeyRotationRepository,
  RotationTimes,
} from '../../prisma/keys/key-rotation.repository.js';

export interface KeyActivityDependencies {
  rotations: Pick<KeyRotationRepository, 'publishNext' | 'eraseRetired'>;
  now: () => Date;
}

export interface KeyToPublish extends RotationTimes {
  rotation: string;
}

export interface NextKey {
  kid: string;
  /** Milliseconds until this key signs. */
  activeInMs: number;
  /** Milliseconds until every earlier key has left the published set. */
  settledInMs: number;
}

/**
 * Activities of a signing key rotation. The rows hold when each key signs and when it leaves, so
 * repeating an activity changes nothing.
 */
export function createKeyActivities({ rotations, now }: KeyActivityDependencies) {
  return {
    async publishNextKey({ rotation, leadMs, overlapMs }: KeyToPublish): Promise<NextKey> {
      const { kid, activeFrom, settledAt } = await rotations.publishNext(rotation, {
        leadMs,
        overlapMs,
      });
      const until = (instant: Date) => Math.max(0, instant.getTime() - now().getTime());
      return { kid, activeInMs: until(activeFrom), settledInMs: until(settledAt) };
    },

    /** @returns how many private keys were erased */
    async eraseRetiredKeys(): Promise<number> {
      return rotations.eraseRetired(now());
    },
  };
}

export type KeyActivities = ReturnType<typeof createKeyActivities>;
