import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from '../../support/assertions/eventually.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';
import { WebhookService } from './webhook-service.js';

/** Every commit around claim, POST and acknowledgment, and the points between them. */
export type KillPoint =
  | 'claim started'
  | 'claim written'
  | 'claimed'
  | 'about to post'
  | 'posting'
  | 'answered'
  | 'outcome started'
  | 'outcome written'
  | 'workflow requested';

/** A first attempt that receives 204 or 500, or a second one that receives 204. */
export type KillStory = 'delivered' | 'failed' | 'later';

const ALWAYS = [
  'claim started',
  'claim written',
  'claimed',
  'about to post',
  'posting',
  'answered',
  'outcome started',
  'outcome written',
] as const;
export const KILL_POINTS: Record<KillStory, readonly KillPoint[]> = {
  delivered: ALWAYS,
  failed: [...ALWAYS, 'workflow requested'],
  later: ALWAYS,
};

const SENDER = fileURLToPath(new URL('./killed-sender.ts', import.meta.url));
const LEASE_MS = 60_000;
/**
 * The time until the point of its exit: compiling the sender takes half a minute while other tests
 * run.
 */
const LONGEST_WAY_MS = 200_000;

/**
 * Kills a sender at the point, lets another one continue, and compares the sent requests with the
 * stored rows.
 */
export async function killAndGoOn(story: KillStory, point: KillPoint): Promise<void> {
  const service = await WebhookService.open();
  const receiver = await WebhookReceiver.start();
  try {
    const delivery = await service.record(await service.addLink(receiver.url()));
    const isLater = story === 'later';
    receiver.respondWith({ status: 500 });
    if (isLater) {
      await service.attempt(delivery);
      await service.startRetries();
    }
    if (story !== 'failed') receiver.respondWith({ status: 204 });

    await dieAt(point, service, {
      ...(isLater ? { LATER_ATTEMPT: delivery.deliveryId } : {}),
    });
    service.advance(LEASE_MS);
    if (isLater) await service.attempt(delivery);
    else service.relay.start();
    service.retries.start();

    const attempts = isLater ? 2 : 1;
    const status = story === 'failed' ? 'pending' : 'delivered';
    const stored = await eventually(async () => {
      const found = await service.delivery(delivery);
      expect(found).toMatchObject({ status, attempts });
      return found;
    });
    // Recorded once, by either process.
    expect(stored.history.map(({ attempt }) => attempt)).toEqual(isLater ? [1, 2] : [1]);
    await eventually(async () =>
      expect(await service.queuedWorkflows()).toEqual(
        isLater || story === 'failed' ? [delivery.deliveryId] : [],
      ),
    );
    // At least once. The number may repeat, but the bytes and the key are always the same.
    expect(new Set(receiver.received.map(({ rawBody }) => rawBody.toString('utf8'))).size).toBe(1);
    expect(
      new Set(receiver.received.map(({ headers }) => headers['service-delivery-token'])),
    ).toEqual(new Set([delivery.deliveryId]));
    expect(receiver.received.at(-1)?.headers['service-delivery-attempt']).toBe(String(attempts));
    expect(receiver.received.length - attempts).toBeLessThanOrEqual(1);
  } finally {
    await receiver.stop();
    await service.close();
  }
}

async function dieAt(
  point: KillPoint,
  { address }: WebhookService,
  story: Record<string, string>,
): Promise<void> {
  const { NODE_OPTIONS: _ofJest, ...env } = process.env;
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--import',
      '@swc-node/register/esm-register',
      SENDER,
    ],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...env,
        DATABASE_URL: address.url,
        MASTER_KEY: address.masterKey,
        KILL_AT: point,
        ...story,
      },
    },
  );
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString('utf8')));
  const timer = setTimeout(() => child.kill('SIGTERM'), LONGEST_WAY_MS);
  const [, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  clearTimeout(timer);
  expect({ signal, complaint }).toEqual({ signal: 'SIGKILL', complaint: '' });
}
