import { sourceFactsOf } from '../../../activities/refresh/source-facts.js';
import { combineRequestedProducts } from '../../../domain/link/products.js';
import { LinkingQuestionRepository } from '../../../prisma/work/linking/linking-question.repository.js';
import type { ProviderFacts } from '../../../providers/contract/provider.js';
import { testProvider } from '../../support/fixtures/fetching-link.js';
import {
  ATTEMPT,
  LINKED,
  openedSession,
  shown,
  storeOfFile,
  store,
} from '../../support/fixtures/linking-store.js';
import { GENEROUS_FACTS } from '../../support/fixtures/provider-calls.js';

storeOfFile();

/**
 * The data that is fetched after the login of a link whose app wants the history, but not early.
 */
async function requestedAfterLogin(wholeHistory: ProviderFacts['wholeHistory']) {
  const source = testProvider({ facts: { ...GENEROUS_FACTS, wholeHistory } });
  const questions = new LinkingQuestionRepository(
    store.ctx,
    { exchangeWindowMs: 1_800_000 },
    sourceFactsOf({ all: () => [source] }),
  );
  const { sessionId } = await openedSession(store, {
    products: combineRequestedProducts({
      productsSettings: {
        transactions: { prefetch: false, extend_history: true },
        identity: { prefetch: false },
      },
    }),
  });
  const { linkId } = await store.logins.beginLogin(sessionId, 'first-bank', ATTEMPT);
  await store.bankLogins.storeLinked(sessionId, ATTEMPT, LINKED);
  await questions.finishLinking(sessionId, shown(2, { kind: 'success' }));
  const requests = await store.ctx.database.prisma.refreshRequest.findMany({
    where: { link: { linkId } },
  });
  return requests.map(({ product, cause }) => `${product} ${cause}`);
}

describe('The history of a source that offers it only after the login', () => {
  it('is requested with the end of linking, although the app did not want it early', async () => {
    expect(await requestedAfterLogin('after_login')).toEqual(['transactions prefetch']);
  });

  it('waits for the app elsewhere', async () => {
    expect(await requestedAfterLogin('any_time')).toEqual([]);
  });
});
