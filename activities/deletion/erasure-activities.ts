import type {
  ErasureProgress,
  UserErasureRepository,
} from '../../prisma/views/users/user-erasure.repository.js';

export type { ErasureProgress };

export interface ErasureActivityDeps {
  erasures: Pick<UserErasureRepository, 'advance'>;
}

/** Activities of a user erasure. Safe to repeat. */
export function createErasureActivities({ erasures }: ErasureActivityDeps) {
  return {
    async advanceErasure({ erasureId }: { erasureId: string }): Promise<ErasureProgress> {
      return erasures.advance(erasureId);
    },
  };
}

export type ErasureActivities = ReturnType<typeof createErasureActivities>;
