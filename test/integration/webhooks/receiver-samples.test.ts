import { spawn, type ChildProcess } from 'node:child_process';
import {
  createWebhookVerifier,
  InvalidWebhook,
} from '../../../examples/webhook-receiver-node/verify-webhook.mjs';
import type { WebhookContent } from '../../../domain/webhooks/webhook-bodies.js';
import { KeyRotationRepository } from '../../../prisma/keys/key-rotation.repository.js';
import { recordWebhookEvent } from '../../../prisma/events/record-webhook-event.js';
import { startApiInProcess, type ApiInProcess } from '../../support/services/api-in-process.js';
import { describeWithPython } from '../../support/receivers/python.js';
import { PYTHON_SAMPLE, RunningSample } from '../../support/receivers/running-sample.js';
import {
  FORGED_SIGNATURES,
  GOOD_AGES,
  OTHER_BODIES,
  PUBLISHED,
  signedAt,
  signedFor,
  SIGNATURES_FOR_OTHERS,
  VECTOR_AT,
  VECTOR_BODY,
  VECTOR_ISSUER,
  VECTOR_KEY_ID,
  VECTOR_OWNER,
  VECTOR_SIGNATURE,
} from '../../support/receivers/webhook-forgeries.js';
import { SendingSide, storeLink } from './sending-side.js';

const UPDATES: WebhookContent = {
  webhook_event: 'transactions.updates_available',
  has_history: false,
};

/**
 * A verifier's verdict on a request: the idempotency key of the accepted event, or the reason for
 * the refusal.
 */
type Verdict = { key: string } | { refused: string };
type Judge = (rawBody: Buffer, signature: string) => Promise<Verdict>;

/** The vector, and everything that must be rejected, at the time of the vector. */
function judgesAsItMust(judge: () => Judge): void {
  it('a sample receiver accepts the test vector', async () => {
    expect(await judge()(VECTOR_BODY, VECTOR_SIGNATURE)).toEqual({ key: VECTOR_KEY_ID });
  });
  it.each(GOOD_AGES)('a sample receiver accepts an iat of %s', async (_name, offset) => {
    expect(await judge()(VECTOR_BODY, signedFor(offset))).toEqual({ key: VECTOR_KEY_ID });
  });
  it.each(FORGED_SIGNATURES)('a sample receiver rejects %s', async (_name, signature) => {
    expect(await judge()(VECTOR_BODY, await signature())).toEqual({ refused: expect.any(String) });
  });
  it.each(OTHER_BODIES)('a sample receiver rejects %s', async (_name, body) => {
    expect(await judge()(body, VECTOR_SIGNATURE)).toEqual({
      refused: 'the body is not the one that was signed',
    });
  });
}

/** webhooks 6, step 6: a receiver of one app and one environment. */
function takesOnlyItsOwn(judge: () => Judge): void {
  it('a sample receiver accepts data that is signed for its app and environment', async () => {
    expect(await judge()(VECTOR_BODY, signedAt())).toEqual({ key: VECTOR_KEY_ID });
  });
  it.each(SIGNATURES_FOR_OTHERS)('a sample receiver rejects %s', async (_name, signature) => {
    expect(await judge()(VECTOR_BODY, await signature())).toEqual({
      refused: expect.stringMatching(/^the event is of another/),
    });
  });
}

/** Deliveries of a service, to a sample that fetches its keys from it. */
function takesLiveDeliveries(start: (baseUrl: string) => Promise<RunningSample>): void {
  let service: ApiInProcess;
  let sender: SendingSide;
  let sample: RunningSample;
  let linkId: string;
  beforeAll(async () => {
    service = await startApiInProcess({ WEBHOOK_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8' });
    sender = await SendingSide.over(service, service.api.baseUrl);
    sample = await start(service.api.baseUrl);
    linkId = await storeLink(service, { webhook: sample.url });
  });
  afterAll(async () => {
    sample?.stop();
    await sender?.close();
    await service?.close();
  });

  const deliver = async () => {
    const { eventId, deliveryId } = await service.ctx.database.transaction(async (tx) =>
      recordWebhookEvent(
        sender.ctx,
        tx,
        await tx.link.findUniqueOrThrow({ where: { linkId } }),
        UPDATES,
      ),
    );
    await sender.attempt(deliveryId, sender.ctx.clock());
    return {
      eventId,
      row: await service.database.prisma.webhookDelivery.findUniqueOrThrow({
        where: { deliveryId },
        include: { event: true },
      }),
    };
  };

  it('a sample receiver accepts a live delivery and handles it once, however often it arrives', async () => {
    const { eventId, row } = await deliver();
    expect(row).toMatchObject({ status: 'delivered', history: [{ httpStatus: 200 }] });
    await sample.until(
      new RegExp(`event transactions.updates_available ${linkId} ${row.event.idempotencyKey}`),
    );
    await service.api
      .as(await service.token('pocket-ledger'))
      .post(`/webhooks/events/${eventId}/replay`);
    await sender.sendAll();
    await sample.until(
      new RegExp(`again transactions.updates_available ${row.event.idempotencyKey}`),
    );
  });

  it('a sample receiver fetches the keys again for an unknown one after a revocation', async () => {
    await new KeyRotationRepository(service.ctx).revoke('emergency');
    sender.advance(2_000);
    expect((await deliver()).row).toMatchObject({ status: 'delivered' });
  });

  it('a sample receiver responds with 400 to a forged request', async () => {
    const bodies: [string, RequestInit][] = [
      ['no signature', { body: '{}' }],
      [
        'a forged one',
        { body: new Uint8Array(VECTOR_BODY), headers: { 'service-signature': VECTOR_SIGNATURE } },
      ],
    ];
    for (const [, init] of bodies)
      expect((await fetch(sample.url, { method: 'POST', ...init })).status).toBe(400);
  });
}

describe('webhooks 12, check 2: the sample receiver in Node', () => {
  const judgeOf = (owner: Partial<typeof VECTOR_OWNER>): Judge => {
    const verify = createWebhookVerifier({
      ...owner,
      baseUrl: VECTOR_ISSUER,
      fetchKeys: () => Promise.resolve(PUBLISHED),
      now: () => VECTOR_AT.getTime(),
    });
    return async (rawBody, signature) => {
      try {
        return { key: (await verify(rawBody, signature)).webhook_idempotency_key };
      } catch (error) {
        if (!(error instanceof InvalidWebhook)) throw error;
        return { refused: error.message };
      }
    };
  };
  judgesAsItMust(() => judgeOf({}));
  takesOnlyItsOwn(() => judgeOf(VECTOR_OWNER));
  takesLiveDeliveries((baseUrl) => RunningSample.startNode(baseUrl));

  it('keeps the keys for an hour, and fetches them for an unknown one at most once in five minutes', async () => {
    let now = VECTOR_AT.getTime();
    let fetched = 0;
    const patient = createWebhookVerifier({
      baseUrl: VECTOR_ISSUER,
      fetchKeys: () => {
        fetched += 1;
        return Promise.resolve({ keys: [] });
      },
      now: () => now,
    });
    const ask = async (afterMs: number) => {
      now += afterMs;
      await expect(patient(VECTOR_BODY, VECTOR_SIGNATURE)).rejects.toThrow('unknown key');
      return fetched;
    };
    // A first fetch does not count.
    expect(await ask(0)).toBe(2);
    expect(await ask(299_000)).toBe(2);
    expect(await ask(1_000)).toBe(3);
    expect(await ask(3_600_000)).toBe(5);
  });
});

/** Reads requests as lines of JSON and writes a verdict for each. */
const PYTHON_JUDGE = `
import base64, json, sys
from verify_webhook import InvalidWebhook, WebhookVerifier
setting = json.loads(sys.stdin.readline())
open_to_all = WebhookVerifier(setting["issuer"], lambda: setting["keys"], lambda: setting["now"])
of_one_app = WebhookVerifier(setting["issuer"], lambda: setting["keys"], lambda: setting["now"], setting["app_id"], setting["environment"])
for line in sys.stdin:
    request = json.loads(line)
    verifier = of_one_app if request["owned"] else open_to_all
    try:
        verdict = {"key": verifier.verify(base64.b64decode(request["body"]), request["signature"])["webhook_idempotency_key"]}
    except InvalidWebhook as error:
        verdict = {"refused": str(error)}
    print(json.dumps(verdict), flush=True)
`;

describeWithPython(
  'webhooks 12, check 2: the sample receiver in Python',
  `${PYTHON_SAMPLE}requirements.txt`,
  (python) => {
    let child: ChildProcess;
    beforeAll(() => {
      child = spawn(python, ['-c', PYTHON_JUDGE], {
        cwd: PYTHON_SAMPLE,
        env: { PATH: process.env['PATH'], PYTHONDONTWRITEBYTECODE: '1' },
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      child.stdin?.write(
        `${JSON.stringify({ issuer: VECTOR_ISSUER, keys: PUBLISHED, now: VECTOR_AT.getTime() / 1000, app_id: VECTOR_OWNER.appId, environment: VECTOR_OWNER.environment })}\n`,
      );
    });
    afterAll(() => void child?.kill());

    const judgeOf =
      (owned: boolean): Judge =>
      (rawBody, signature) =>
        new Promise((resolve) => {
          child.stdout?.once('data', (line: Buffer) =>
            resolve(JSON.parse(line.toString('utf8')) as Verdict),
          );
          child.stdin?.write(
            `${JSON.stringify({ owned, body: rawBody.toString('base64'), signature })}\n`,
          );
        });
    judgesAsItMust(() => judgeOf(false));
    takesOnlyItsOwn(() => judgeOf(true));
    takesLiveDeliveries((baseUrl) => RunningSample.startPython(python, baseUrl));
  },
);
