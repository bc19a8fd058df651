import { ChannelListener } from '../../../../prisma/base/database/channel-listener.js';
import { shareDatabase } from '../../../support/fixtures/test-databases.js';
import { WebhookReceiver } from '../../../support/receivers/webhook-receiver.js';
import { WebhookService } from '../webhook-service.js';

export let service: WebhookService;
export let receiver: WebhookReceiver;
let listener: ChannelListener;

/** Opens a service for each test, whose relay and retries `start` starts. */
export function openRelayStage(): void {
  const nextDatabase = shareDatabase();
  beforeEach(async () => {
    service = await WebhookService.open({ opened: await nextDatabase(), timeoutMs: 20_000 });
    receiver = await WebhookReceiver.start({ verify: await service.verifier() });
    const { relay } = service;
    listener = new ChannelListener({
      pool: service.ctx.database.pool,
      on: { webhook_delivery: () => relay.wake() },
      onError: () => undefined,
    });
  });
  afterEach(async () => {
    listener.stop();
    receiver.releaseHeld();
    await service.close();
    await receiver.stop();
  });
}

export function start(): void {
  listener.start();
  service.relay.start();
  service.retries.start();
}
