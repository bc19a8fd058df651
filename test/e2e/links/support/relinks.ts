import { eventually } from '../../../support/assertions/eventually.js';
import { ConnectVisit, expectStatus } from '../../../support/actors/link-journey.js';
import type { AccountBody, TransactionsPage } from '../../../support/actors/response-bodies.js';
import { app, service, serviceOfFile, truth } from '../../../support/fixtures/sandbox-service.js';
import { WebhookReceiver } from '../../../support/receivers/webhook-receiver.js';

/** The events of a repaired link, from its break on. */
export const REPAIRED = [
  'state error/auth_expired',
  'state connected',
  'accounts completed',
  'transactions completed',
  'transactions.updates_available has_history=false',
];

export { app, truth } from '../../../support/fixtures/sandbox-service.js';
export let receiver: WebhookReceiver;

/** Of the file: an app of its own, and a receiver of its webhooks. */
export function shareServiceForRelinks(): void {
  serviceOfFile();
  beforeAll(async () => {
    receiver = await WebhookReceiver.start({ verify: service.info.base_url });
  });

  afterAll(() => receiver?.stop());
}

/** Opens a session for the link. `token` opens it again. */
export async function relink(
  linkId: string,
  fields: Record<string, unknown> = {},
): Promise<{ visit: ConnectVisit; token: string }> {
  const session = { products_settings: undefined, existing_link_id: linkId, ...fields };
  const { link_session_token: token } = await app.createSession(session);
  const visit = await ConnectVisit.open(app.baseUrl, token);
  await visit.settle();
  return { visit, token };
}

export const reset = (linkId: string) =>
  expectStatus(200, app.call('POST', `/links/${linkId}/reset`));
export const accountsOf = async (linkId: string) =>
  (await app.get<{ accounts: AccountBody[] }>(`/links/${linkId}/accounts`)).accounts;
export const rowsOf = async (linkId: string) =>
  (await app.get<TransactionsPage>(`/links/${linkId}/transactions?size=500`)).transactions
    .map(({ transaction_id: id }) => id)
    .sort();

/** Everything that an app can read of a link. */
export const shown = async (linkId: string) => ({
  link: await app.link(linkId),
  accounts: await accountsOf(linkId),
  rows: await rowsOf(linkId),
  story: await truth.story(linkId),
});

export async function untilAnnounced(linkId: string, story: readonly string[]): Promise<void> {
  await eventually(async () =>
    expect((await truth.story(linkId)).slice(-story.length)).toEqual(story),
  );
}
