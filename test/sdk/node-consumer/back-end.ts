// Compiled, never run: code that a back end with @tributary/node may contain, and code that it may not.
import {
  LinkNeedsOwnerError,
  memoryStore,
  RateLimitError,
  Tributary,
  ValidationError,
  type Link,
  type ReceivedEvent,
  type SyncedPage,
  type SyncStore,
  type Transaction,
} from '@tributary/node';

const tributary = new Tributary({ baseUrl: 'https://api.example', timeout: 5_000, maxRetries: 1 });

export async function read(signal: AbortSignal): Promise<string[]> {
  const names: string[] = [];
  for await (const link of tributary.links.list(
    { order: 'desc', include: ['deleted'] },
    { signal },
  ))
    names.push(link.institution_name ?? link.link_id);
  const { items, next } = await tributary.transactions.list('mk_1', { size: 10 }).page();
  const [first]: Transaction[] = items;
  const amount: number | undefined = first?.amount;
  const { accounts } = await tributary.accounts.list('mk_1', { account_ids: ['acc_1'] });
  const key = { idempotencyKey: 'order-1' };
  const session = await tributary.linkSessions.create({ customer_user: { id: 'user-1' } }, key);
  const exported: ReadableStream<Uint8Array> = await tributary.users.export('user-1', {
    format: 'csv',
  });
  const link: Link = await tributary.links.update('mk_1', { webhook: null });
  return [
    ...names,
    String(next),
    String(amount),
    accounts[0]?.name ?? '',
    session.link_session_token,
    String(exported),
    link.link_id,
  ];
}

const exact = new Tributary({ baseUrl: 'https://api.example', money: 'text' });

export async function readExactly(): Promise<(string | null | undefined)[]> {
  const { data, requestId, isReplayed, headers } = await tributary.links.get('mk_1').withResponse();
  const link: Link = data;
  const amounts: string[] = [];
  for await (const { items, response } of exact.transactions.list('mk_1').pages())
    amounts.push(...items.map(({ amount }) => amount), String(response.status));
  const { accounts } = await exact.accounts.list('mk_1');
  const current: string | null | undefined = accounts[0]?.balances.current;
  const store = memoryStore<'text'>();
  await exact.transactions.syncInto('mk_1', store);
  return [link.state, requestId, String(isReplayed), headers.get('etag'), current, ...amounts];
}

/** A state of tomorrow is a text, and the states of today are known to editors. */
export const isUsable = ({ state }: Link): boolean =>
  state === 'connected' || state === 'a_state_of_tomorrow';

export function remedy(error: unknown): string | number | undefined {
  if (error instanceof RateLimitError) return error.retryAfter;
  if (error instanceof LinkNeedsOwnerError) return error.linkErrorCode;
  if (error instanceof ValidationError) return error.issues[0]?.location.join('.');
  return undefined;
}

export function describeEvent(event: ReceivedEvent): string | null {
  switch (event.webhook_event) {
    case 'link.state_changed':
      return event.error;
    case 'link.product_refresh':
      return event.product;
    case 'link_session.finished':
      return event.outcome;
    case 'transactions.updates_available':
      return String(event.has_history);
    default:
      return event.link_id;
  }
}

/** The bodies of the log are those of webhooks; the name of an event may be one of tomorrow. */
export async function readLog(): Promise<(string | null)[]> {
  const read: (string | null)[] = [];
  for await (const { webhook_event: name, body } of tributary.webhooks.listEvents()) {
    if (body.webhook_event === 'link.state_changed') read.push(body.error, describeEvent(body));
    else if (body.webhook_event === 'link_session.finished') read.push(body.session_id);
    else if (name === 'an.event_of_tomorrow') read.push(JSON.stringify(membersOf(body)));
  }
  return read;
}
const membersOf = (body: Record<string, unknown>): string[] => Object.keys(body);

export async function createLinks(result: 'link' | 'exchangeable_token'): Promise<string[]> {
  const { link_id: linkId, link } = await tributary.sandbox.createLink();
  const { link_id: named } = await tributary.sandbox.createLink({ username: 'user_good' });
  const token = await tributary.sandbox.createLink({ result: 'exchangeable_token' });
  const either = await tributary.sandbox.createLink({ result });
  const { data } = await tributary.sandbox.createLink({ result: 'link' }).withResponse();
  return [
    ...[linkId, link.state, named, token.exchangeable_token, String(token.expires_in)],
    either.result === 'link' ? either.link_id : either.exchangeable_token,
    data.link_id,
  ];
}

export class Store implements SyncStore {
  load = () => null;
  async commit(linkId: string, { upserted, removed, position }: SyncedPage): Promise<void> {
    await Promise.resolve([linkId, upserted, removed, position.cursor]);
  }
}
export const summary = tributary.transactions.syncInto('mk_1', memoryStore(), { size: 100 });
export const handler = tributary.webhooks.fetchHandler((event) => describeEvent(event));

// @ts-expect-error there is no such state
tributary.links.list({ state: 'fine' });
// @ts-expect-error exact money is a text
export const sum: Promise<number> = exact.accounts
  .list('mk_1')
  .then((all) => all.accounts[0]?.balances.current ?? 0);
// @ts-expect-error a copy with exact money needs a store for it
void exact.transactions.syncInto('mk_1', memoryStore<'number'>());
// @ts-expect-error a body of the log has this member only once its event is known
void tributary.webhooks.getEvent('evt_1').then(({ body }) => body.state);
// @ts-expect-error a token is not a link
void tributary.sandbox.createLink({ result: 'exchangeable_token' }).then((made) => made.link_id);
// @ts-expect-error a user is needed
void tributary.linkSessions.create({});
// @ts-expect-error reads take no key
void tributary.links.get('mk_1', { idempotencyKey: 'k' });
// @ts-expect-error a list is read by `for await`, or page by page
void tributary.links.list().map(String);
