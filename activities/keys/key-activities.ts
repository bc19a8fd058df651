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
  /** Until it signs. */
  activeInMs: number;
  /** Until no key it follows is published any more. */
  settledInMs: number;
}

/** What a rotation of the signing key does. The rows say when each key signs and leaves; doing it twice changes nothing. */
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

    /** @returns how many private parts it erased */
    async eraseRetiredKeys(): Promise<number> {
      return rotations.eraseRetired(now());
    },
  };
}

export type KeyActivities = ReturnType<typeof createKeyActivities>;
