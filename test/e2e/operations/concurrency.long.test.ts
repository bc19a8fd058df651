import { AppBackEnd } from '../../support/actors/link-journey.js';
import { linkInstantBank, type LinkedBank } from '../../support/actors/link-instant-bank.js';
import type { TransactionsPage } from '../../support/actors/response-bodies.js';
import { Standalone } from '../../support/services/standalone.js';
import { StoredTruth } from '../../support/assertions/stored-truth.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';

const LINKS = 50;
const EVENTS_EACH = 6;
/** Only the point at which waiting is hopeless. */
const LINKED_WITHIN_MS = 600_000;

let service: Standalone;
let app: AppBackEnd;
let truth: StoredTruth;
let receiver: WebhookReceiver;

beforeAll(async () => {
  // All are links of one app, whose limits are not the subject here.
  service = await Standalone.start({
    env: { RATE_LIMIT_API: 'off', RATE_LIMIT_TOKEN: 'off', DATABASE_CONNECTIONS_PER_APP: '18' },
  });
  app = new AppBackEnd(service.info.base_url, service.app.sandbox);
  truth = new StoredTruth(() => service.info.database_url);
  receiver = await WebhookReceiver.start({ verify: service.info.base_url });
});

afterAll(async () => {
  await receiver?.stop();
  await service?.dispose();
});

describe(`${LINKS} concurrent links`, () => {
  let linked: (LinkedBank & { name: string })[];

  beforeAll(async () => {
    linked = await Promise.all(
      Array.from({ length: LINKS }, async (_, index) => {
        const name = `user-${index}`;
        return {
          name,
          ...(await linkInstantBank(app, {
            customer_user: { id: name },
            tags: [name],
            webhook: receiver.url(`/${name}`),
          })),
        };
      }),
    );
    await Promise.all(linked.map(({ linkId }) => app.untilRefreshed(linkId, 'transactions')));
  }, LINKED_WITHIN_MS);

  it('all become connected, each in its own link', async () => {
    expect(new Set(linked.map(({ linkId }) => linkId)).size).toBe(LINKS);
    const links = await Promise.all(linked.map(({ linkId }) => app.link(linkId)));
    expect(links.filter(({ state }) => state !== 'connected')).toEqual([]);
    for (const { name, exchanged } of linked)
      expect(exchanged).toMatchObject({ customer_user: { id: name }, link: { tags: [name] } });
  });

  it('receive their own events, each exactly once', async () => {
    await receiver.until((received) => received.length >= LINKS * EVENTS_EACH);
    expect(receiver.received.filter(({ refused }) => refused !== null)).toEqual([]);
    expect(new Set(receiver.received.map(({ body }) => body.webhook_idempotency_key)).size).toBe(
      LINKS * EVENTS_EACH,
    );
    for (const { name, linkId } of linked) {
      const own = receiver.received.filter(({ path }) => path === `/${name}`);
      expect(own.map(({ body }) => ({ link: body.link_id, tags: body['link_tags'] }))).toEqual(
        Array.from({ length: EVENTS_EACH }, () => ({ link: linkId, tags: [name] })),
      );
      expect(await truth.story(linkId)).toEqual([
        'state connecting',
        'state awaiting_token_exchange',
        'state connected',
        'accounts completed',
        'transactions completed',
        'transactions.updates_available has_history=false',
      ]);
    }
  });

  it('contain their own data', async () => {
    const pages = await Promise.all(
      linked.map(({ linkId }) =>
        app.get<TransactionsPage>(`/links/${linkId}/transactions?size=1000`),
      ),
    );
    for (const [index, page] of pages.entries()) {
      expect({ total: page.total, link: page.link.link_id }).toEqual({
        total: 60,
        link: linked[index]?.linkId,
      });
    }
    const ids = (rows: { transaction_id: string }[]) =>
      rows.map(({ transaction_id }) => transaction_id);
    expect(new Set(pages.flatMap(({ transactions }) => ids(transactions))).size).toBe(60 * LINKS);
    // Transactions depend on the customer user, so two links with the same transactions would be a
    // mix-up.
    expect(
      new Set(
        pages.map(({ transactions }) =>
          JSON.stringify(transactions.map(({ date, amount }) => [date, amount])),
        ),
      ).size,
    ).toBe(LINKS);
  });
});
