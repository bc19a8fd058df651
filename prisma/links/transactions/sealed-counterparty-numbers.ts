import {
  presentCounterpartyNumbers,
  type CounterpartyNumbers,
} from '../../../domain/transactions/counterparty-numbers.js';
import type { Tx } from '../../base/database/tx.js';
import type { PrismaClient } from '../../generated/client.js';
import type { Sealer } from '../../base/sealing/sealer.js';

/**
 * The seal context of the numbers of a link's counterparties. It names the link and not the row, so
 * that rows with the same counterparty share one sealed value.
 */
export function counterpartyNumbersPlace(linkId: string) {
  return { table: 'transaction_versions', column: 'counterparty_numbers', row: linkId };
}

/**
 * Seals the public JSON of numbers under the key of the link, each distinct one once: most rows of a
 * batch have the same few counterparties, or none.
 * @returns base64, in the order of the input
 */
export async function sealCounterpartyNumbers(
  sealer: Sealer,
  tx: Tx,
  linkId: string,
  numbers: readonly (CounterpartyNumbers | null)[],
): Promise<(string | null)[]> {
  const texts = numbers.map((each) =>
    each === null ? null : JSON.stringify(presentCounterpartyNumbers(each)),
  );
  const distinct = [...new Set(texts)].filter((text) => text !== null);
  const sealed = await sealer.sealAllUnder(
    tx,
    `link/${linkId}`,
    counterpartyNumbersPlace(linkId),
    distinct.map((text) => Buffer.from(text, 'utf8')),
  );
  const sealedOf = new Map(
    distinct.map((text, index) => [text, sealed[index]?.toString('base64') ?? null]),
  );
  return texts.map((text) => (text === null ? null : (sealedOf.get(text) ?? null)));
}

/** Opens numbers of one link as public JSON, in the order of the input. */
export async function openCounterpartyNumbers(
  sealer: Sealer,
  db: Tx | PrismaClient,
  linkId: string,
  sealed: readonly (Uint8Array | null)[],
): Promise<(string | null)[]> {
  const at = counterpartyNumbersPlace(linkId);
  const values = sealed.filter((value) => value !== null);
  const opened = await sealer.openAllUnder(
    db,
    `link/${linkId}`,
    values.map((value) => ({ at, value })),
  );
  const openedOf = new Map(values.map((value, index) => [value, opened[index]?.toString('utf8')]));
  return sealed.map((value) => (value === null ? null : (openedOf.get(value) ?? null)));
}
