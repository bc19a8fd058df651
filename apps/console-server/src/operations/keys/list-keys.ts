import type { ListedKey } from '../../../../../prisma/base/keys/key-rotation.repository.js';
import { operation } from '../operation.js';
import { KeyListInput, type KeyList, type ShownSigningKey } from './key-shapes.js';

/** Rotations add one key to each set, a few times a year. */
const MAX_KEYS = 200;

export const LIST_KEYS = operation({
  call: 'GET /instance/keys',
  roles: ['operator'],
  level: 'read',
  input: KeyListInput,
  run: async ({ service: { keyRotations, masterKeys }, now }): Promise<KeyList> => {
    const [signing, master] = await Promise.all([
      keyRotations.list({ limit: MAX_KEYS }),
      masterKeys.standing(),
    ]);
    return {
      signing: signing.map((key) => ({
        set: key.keySet,
        key_id: key.kid,
        state: stateOf(key, signing, now()),
        created_at: key.createdAt.toISOString(),
        signs_from: key.activeFrom.toISOString(),
        retired_at: key.retiredAt?.toISOString() ?? null,
      })),
      master: master.map(({ keyId, place, rows, lastCurrentAt }) => ({
        key_id: keyId,
        is_current: place === 'current',
        place,
        counts: rows,
        last_current_at: lastCurrentAt?.toISOString() ?? null,
      })),
    };
  },
});

/** `all`: newest first within each set. */
function stateOf(key: ListedKey, all: readonly ListedKey[], now: Date): ShownSigningKey['state'] {
  if (key.retiredAt !== null && key.retiredAt <= now) return 'retired';
  if (key.activeFrom > now) return 'next';
  const signing = all.find(
    ({ keySet, activeFrom, retiredAt }) =>
      keySet === key.keySet && activeFrom <= now && (retiredAt === null || retiredAt > now),
  );
  return signing === key ? 'signing' : 'previous';
}
