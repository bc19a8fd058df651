import type { FetchedTrades } from '../../../domain/refresh/fetched-data.js';
import type { IncompleteAccount } from '../../../domain/refresh/incomplete-answer.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import type { Link } from '../../generated/client.js';

export async function storeTrades(
  _ctx: Context,
  _tx: Tx,
  _link: Link,
  _fetched: FetchedTrades,
  _incomplete: readonly IncompleteAccount[],
): Promise<number> {
  return 0;
}
