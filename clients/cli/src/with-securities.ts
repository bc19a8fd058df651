import type { Security } from '@tributary/node';

/** Rows with the security that each of them names; a page lists its securities once. */
export async function* withSecurities<Row extends { security_id: string | null }>(
  pages: AsyncIterable<{ items: Row[]; body: { securities: Security[] } }>,
): AsyncGenerator<Row & { security: Security | null }, void, undefined> {
  for await (const { items, body } of pages) {
    const securities = new Map(body.securities.map((each) => [each.security_id, each]));
    for (const row of items)
      yield { ...row, security: securities.get(row.security_id ?? '') ?? null };
  }
}

/** The shortest text by which a person knows a security. */
export const shortName = (security: Security | null): string | null =>
  security?.symbol ?? security?.name ?? null;
