import { StaleRefreshRun } from '../../../../domain/errors/change-refused.js';
import type { Product } from '../../../../domain/link/products.js';
import type { ProviderCause } from '../../../../domain/errors/provider-failure.js';
import { account, row, storage, type StoredLink } from '../../../support/fixtures/stored-link.js';

type Outcome = ProviderCause | 'stored';
export type Outcomes = Partial<Record<Product, Outcome>>;

export const linkOf = (link: StoredLink) =>
  storage.ctx.database.prisma.link.findUniqueOrThrow({ where: { pk: link.pk } });
export const standing = async (link: StoredLink) => {
  const { state, errorCode } = await linkOf(link);
  return errorCode === null ? state : `${state}/${errorCode}`;
};

/**
 * The step of a run that is performed twice, because the worker was killed before its result
 * arrived.
 */
export interface Loss {
  at: number;
  taken: number;
}

/** A whole run that tries these products, as the workflow would. */
export async function run(link: StoredLink, outcomes: Outcomes): Promise<void> {
  await ask(link, outcomes);
  await workOff(link, outcomes);
}

export async function ask(link: StoredLink, outcomes: Outcomes): Promise<void> {
  await storage.ctx.database.transaction((tx) =>
    storage.refresh.requestProducts(tx, link.pk, Object.keys(outcomes) as Product[], 'scheduled'),
  );
}

export async function workOff(
  link: StoredLink,
  outcomes: Outcomes,
  loss: Loss = { at: -1, taken: 0 },
  refresh = storage.refresh,
): Promise<void> {
  const take = async <T>(act: () => Promise<T>): Promise<T> => {
    const answer = await act();
    loss.taken += 1;
    return loss.taken - 1 === loss.at ? act() : answer;
  };
  /** As in `fetchProduct`: data that may no longer be written is not a success. */
  const store = (act: () => Promise<unknown>) =>
    take(() =>
      act()
        .then(() => true)
        .catch((error: unknown) => {
          if (!(error instanceof StaleRefreshRun)) throw error;
          return false;
        }),
    );
  let anySucceeded = false;
  const started = await take(() => refresh.beginRun(link.linkId));
  if (started === null) throw new Error('there is nothing to run');
  for (const { product, attempt } of started.products) {
    const name =
      attempt ?? (await take(() => refresh.beginProduct(link.linkId, started.run, product)));
    if (name === null) continue;
    const outcome = outcomes[product];
    if (outcome !== 'stored')
      await take(() => refresh.failProduct(link.linkId, name, product, outcome ?? 'internal'));
    else if (product === 'accounts')
      anySucceeded =
        (await store(() => refresh.storeAccounts(link.linkId, name, [account('checking')]))) ||
        anySucceeded;
    else
      anySucceeded =
        (await store(() =>
          refresh.storeTransactions(link.linkId, name, {
            transactions: [row('t1')],
            last: true,
            window: null,
            seenIds: [],
          }),
        )) || anySucceeded;
  }
  await take(() => refresh.finishRun(link.linkId, started.run, { anySucceeded }));
}

export async function runs(link: StoredLink, times: number, outcomes: Outcomes): Promise<void> {
  for (let time = 0; time < times; time += 1) await run(link, outcomes);
}

export const DOWN: Outcomes = { accounts: 'institution_down', transactions: 'institution_down' };
