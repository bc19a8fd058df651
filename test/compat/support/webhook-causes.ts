import { plaidServiceOfFile, type PlaidService } from '../../support/fixtures/plaid-service.js';
import { StoredItem } from '../../support/fixtures/stored-item.js';

export const WEBHOOK = 'https://app.example/hook';
export let service: PlaidService;

/** Starts the API for items whose webhooks a test expects. */
export function startCauses(): void {
  service = plaidServiceOfFile();
}
export async function item(over: object = {}): Promise<StoredItem> {
  const { item_id: linkId, access_token: token } = await service.item({
    webhook: WEBHOOK,
    ...over,
  });
  return new StoredItem(service.api, linkId, token);
}

/** The logged events of an Item in order, without the fields that all of them have. */
export async function announced(linkId: string): Promise<Record<string, unknown>[]> {
  const events = await service.api.database.prisma.webhookEvent.findMany({
    where: { linkId },
    orderBy: { pk: 'asc' },
    include: { deliveries: true },
  });
  return events.map(({ body, webhookEvent, format }) => {
    const {
      webhook_type: type,
      webhook_code: code,
      item_id: itemId,
      environment,
      ...fields
    } = JSON.parse(body) as Record<string, unknown>;
    expect({ itemId, environment, webhookEvent, format }).toEqual({
      itemId: linkId,
      environment: 'sandbox',
      webhookEvent: `${String(type)}.${String(code)}`,
      format: 'plaid',
    });
    return { code: `${String(type)}/${String(code)}`, ...fields };
  });
}
/** Only the events recorded during `act`. */
export async function announcedBy(
  { linkId }: StoredItem,
  act: () => Promise<unknown>,
): Promise<Record<string, unknown>[]> {
  const before = await announced(linkId);
  await act();
  return (await announced(linkId)).slice(before.length);
}
export const day = (ago: number) =>
  new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
export const ROWS = [0, 10, 40, 80].map((ago) => ({
  providerTransactionId: `row-${ago}`,
  date: day(ago),
}));
