import type { Tenant } from '../../../domain/api/environment.js';
import { OwnerTurns } from '../../base/database/owner-turns.js';
import { OwnerBusy } from '../../base/database/shared-pool.js';

/** As long as other work of an app waits for a connection. */
const WAIT_MS = 4_000;
const MAX_WAITING = 10;

/**
 * A key pair with a share of its own runs one export at a time in this process, which leaves room for
 * the others of its app. Source: native-api 8.
 */
export class ExportTurns {
  private readonly turns = new OwnerTurns({
    perOwner: 1,
    maxWaiting: MAX_WAITING,
    waitMs: WAIT_MS,
  });

  /** @throws OwnerBusy */
  async *inTurn({ share }: Tenant, text: AsyncGenerator<string>): AsyncGenerator<string> {
    if (share === undefined) {
      yield* text;
      return;
    }
    const { clientId } = share;
    await new Promise<void>((resolve, reject) => {
      this.turns.begin(clientId, resolve, () => reject(new OwnerBusy()));
    });
    try {
      yield* text;
    } finally {
      this.turns.end(clientId);
    }
  }
}
