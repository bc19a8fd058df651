import type { KeyRotationRepository } from '../../prisma/base/keys/key-rotation.repository.js';

export interface KeyActivityDependencies {
  rotations: Pick<KeyRotationRepository, 'eraseRetired'> & {
    /** Publishes the next key if the rows and the settings make it due. */
    publishDue(rotation: string): ReturnType<KeyRotationRepository['publishDue']>;
  };
  now: () => Date;
}

export interface NextKey {
  kid: string;
  /** Milliseconds until this key signs. */
  activeInMs: number;
  /** Milliseconds until every earlier key has left the published set. */
  settledInMs: number;
}

/**
 * Activities of a signing key rotation. The rows hold the times at which each key starts to sign
 * and leaves the set, so repeating an activity changes nothing.
 */
export function createKeyActivities({ rotations, now }: KeyActivityDependencies) {
  return {
    /** Null: no operator requested this rotation, and none is due. */
    async publishNextKey({ rotation }: { rotation: string }): Promise<NextKey | null> {
      const published = await rotations.publishDue(rotation);
      if (published === null) return null;
      const { kid, activeFrom, settledAt } = published;
      const until = (instant: Date) => Math.max(0, instant.getTime() - now().getTime());
      return { kid, activeInMs: until(activeFrom), settledInMs: until(settledAt) };
    },

    /** @returns the number of erased private keys */
    async eraseRetiredKeys(): Promise<number> {
      return rotations.eraseRetired(now());
    },
  };
}

export type KeyActivities = ReturnType<typeof createKeyActivities>;
