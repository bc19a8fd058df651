import { jsonDigest } from '../digests/json-digest.js';
import type { FetchedHolding } from './fetched-holding.js';

/**
 * The holdings of a list, each under an id of its own. Holdings of an account with the same id and
 * content are one; with other content, each has an id made of both, whatever their order. Holdings
 * without an id are all kept: two equal lots are two.
 */
export function distinctHoldings(holdings: readonly FetchedHolding[]): FetchedHolding[] {
  const contents = new Map<string, Set<string>>();
  const described = holdings.map((holding) => {
    const { providerAccountId, providerHoldingId } = holding;
    const key = JSON.stringify([providerAccountId, providerHoldingId]);
    return { holding, key, content: jsonDigest(holding) };
  });
  return described
    .filter(({ holding, key, content }) => {
      const seen = contents.get(key) ?? new Set();
      const isNew = holding.providerHoldingId === null || !seen.has(content);
      contents.set(key, seen.add(content));
      return isNew;
    })
    .map(({ holding, key, content }) => {
      const { providerHoldingId: id } = holding;
      return id === null || contents.get(key)?.size === 1
        ? holding
        : { ...holding, providerHoldingId: `${id}/content:${content}` };
    });
}
