import { makeId } from '../../../../domain/api/ids.js';
import {
  storeLink,
  TENANT,
  type Storage,
  type StoredLink,
} from '../../../support/fixtures/stored-link.js';

/** A text that no entry of a timeline may hold. */
export const CANARY = 'canary-5e8d1f';
const CLIENT_ID = 'sandbox_pocket-ledger';

export interface Story {
  link: StoredLink;
  at: (minutes: number) => Date;
  session(minutes: number, fields?: Record<string, unknown>): Promise<string>;
  route(minutes: number, fields?: Record<string, unknown>): Promise<void>;
  event(
    minutes: number,
    body: Record<string, unknown>,
    fields?: Record<string, unknown>,
  ): Promise<bigint>;
  delivery(eventPk: bigint, fields?: Record<string, unknown>): Promise<string>;
  action(
    minutes: number,
    fields: { action: string; subject: string; [field: string]: unknown },
  ): Promise<void>;
  unrevoked(minutes: number): Promise<void>;
}

/** A link with whatever a test says happened to it, with secrets in every column that may hold one. */
export async function storyOf(storage: Storage, firstAt: Date): Promise<Story> {
  const { prisma } = storage.ctx.database;
  const id = (kind: Parameters<typeof makeId>[0]) => makeId(kind, storage.ctx.random);
  const at = (minutes: number) => new Date(firstAt.getTime() + minutes * 60_000);
  const link = await storeLink(storage, { webhook: `https://app.example/${CANARY}` });
  await prisma.link.update({
    where: { pk: link.pk },
    data: { createdAt: at(0), connectedAt: at(1), tags: [CANARY] },
  });
  await prisma.providerCredential.create({
    data: {
      linkPk: link.pk,
      provider: 'sandbox',
      reference: 'grant-2',
      sealed: Buffer.from(CANARY),
      createdAt: at(1),
      renewedAt: at(70),
    },
  });
  const { customerUserPk } = await prisma.link.findUniqueOrThrow({ where: { pk: link.pk } });
  let number = 0;
  return {
    link,
    at,
    async session(minutes, fields = {}) {
      const sessionId = id('session');
      await prisma.linkSession.create({
        data: {
          sessionId,
          ...TENANT,
          clientId: CLIENT_ID,
          customerUserPk,
          mode: 'relink',
          beganAs: 'relink',
          existingLinkId: link.linkId,
          linkPk: link.pk,
          institutionId: 'test-bank',
          state: 'created',
          tags: [CANARY],
          webhook: `https://app.example/${CANARY}`,
          redirectUri: `https://app.example/${CANARY}`,
          products: {},
          tokenHash: Buffer.from(`${CANARY}${sessionId}`),
          features: {},
          theme: { text: CANARY },
          sandboxData: { account_number: CANARY },
          attemptKey: CANARY,
          preparedStep: { text: CANARY },
          sealedLinkToken: Buffer.from(CANARY),
          step: { kind: 'form', text: CANARY },
          expiresAt: at(minutes + 30),
          createdAt: at(minutes),
          ...fields,
        },
      });
      return sessionId;
    },
    async route(minutes, fields = {}) {
      number += 1;
      await prisma.routeDecision.create({
        data: {
          linkId: link.linkId,
          sessionId: id('session'),
          attemptKey: `${CANARY}-${number}`,
          institutionId: 'test-bank',
          why: 'relink',
          chosen: 'sandbox',
          candidates: [
            { provider: 'sandbox', verdict: 'chosen', reason: 'only_route' },
            { provider: 'other', verdict: 'dropped', reason: 'keys_refused' },
          ],
          createdAt: at(minutes),
          ...fields,
        },
      });
    },
    async event(minutes, body, fields = {}) {
      const { webhook_event: webhookEvent } = body as { webhook_event: string };
      const { pk } = await prisma.webhookEvent.create({
        data: {
          eventId: id('event'),
          ...TENANT,
          linkId: link.linkId,
          webhookEvent,
          idempotencyKey: CANARY,
          origin: 'change',
          body: JSON.stringify({
            ...body,
            link_tags: [CANARY],
            link_token: CANARY,
            account_id: CANARY,
            new_webhook_url: CANARY,
          }),
          sealedBody: Buffer.from(CANARY),
          bodySha256: CANARY,
          createdAt: at(minutes),
          ...fields,
        },
      });
      return pk;
    },
    async delivery(eventPk, fields = {}) {
      const deliveryId = id('delivery');
      await prisma.webhookDelivery.create({
        data: {
          deliveryId,
          eventPk,
          ...TENANT,
          url: `https://app.example/${CANARY}?token=${CANARY}`,
          endpoint: 'https://app.example',
          reason: 'event',
          status: 'delivered',
          attempts: 1,
          history: [
            {
              attempt: 1,
              startedAt: at(0).toISOString(),
              durationMs: 84,
              httpStatus: 200,
              error: null,
              responseExcerpt: CANARY,
            },
          ],
          ...fields,
        },
      });
      return deliveryId;
    },
    async action(minutes, fields) {
      await prisma.operatorAction.create({
        data: { actor: 'ann', outcome: 'succeeded', createdAt: at(minutes), ...fields },
      });
    },
    async unrevoked(minutes) {
      await prisma.unrevokedPermission.create({
        data: {
          linkId: link.linkId,
          ...TENANT,
          institutionId: 'test-bank',
          provider: 'sandbox',
          adapter: 'sandbox',
          reference: 'grant-1',
          reason: 'time_over',
          createdAt: at(minutes),
        },
      });
    },
  };
}
