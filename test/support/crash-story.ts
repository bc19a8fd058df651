import { expect } from 'vitest';
import type { TcpGate } from '../integration/sandbox-bank/tcp-gate.js';
import { freePort } from '../../apps/standalone/src/ports.js';
import { eventually } from './eventually.js';
import { gateToBank } from './gated-bank.js';
import {
  AppBackEnd,
  ConnectVisit,
  expectStatus,
  INSTANT_BANK,
  linkInstantBank,
  type SyncPage,
} from './link-journey.js';
import { PatientUser, persist } from './patient-user.js';
import { Standalone, type ProcessName } from './standalone.js';
import { StoredTruth } from './stored-truth.js';
import { WebhookReceiver } from './webhook-receiver.js';

/** link-lifecycle 6.4, with the failed tries that a crash in the middle of a login may leave behind. */
const LEGAL_STORY = new RegExp(
  `^state connecting(, state error/(institution_error|system_error|user_error), state connecting)*, state awaiting_token_exchange, state connected, ${'accounts completed, transactions completed, transactions\\.updates_available has_history=false'}$`,
);

/** What a link was doing when the crash came. */
export type Moment =
  'opened' | 'logging in' | 'fetching' | 'finished' | 'exchanging' | 'delivering';
export const MOMENTS: readonly Moment[] = [
  'opened',
  'logging in',
  'fetching',
  'finished',
  'exchanging',
  'delivering',
];

interface BegunLink {
  moment: Moment;
  linkSessionToken: string;
  sessionId: string;
  exchangeableToken: string | null;
}

/** Links at six moments of their life, one crash for all of them, and what has to be true afterwards. */
export class CrashStory {
  private begun: BegunLink[] = [];
  private reader: { linkId: string; firstPage: SyncPage } | undefined;

  private constructor(
    readonly service: Standalone,
    private readonly gate: TcpGate,
    private readonly receiver: WebhookReceiver,
    private readonly app: AppBackEnd,
    private readonly truth: StoredTruth,
  ) {}

  static async prepare(): Promise<CrashStory> {
    const bank = await gateToBank();
    // The address stays when everything starts again.
    const apiPort = await freePort('127.0.0.1');
    const service = await Standalone.start({
      servers: 'own',
      env: {
        ...bank.env,
        API_PORT: String(apiPort),
        FETCH_RETRY_FOR: '5m',
        WEBHOOK_TIMEOUT: '5s',
        WEBHOOK_ATTEMPTS_AT: '0s,1s,2s,4s,8s,15s,30s,60s,120s',
        RATE_LIMIT_API: 'off',
        RATE_LIMIT_CONNECT: 'off',
        RATE_LIMIT_TOKEN: 'off',
      },
    });
    const { base_url: baseUrl } = service.info;
    const receiver = await WebhookReceiver.start({ verify: baseUrl });
    return new CrashStory(
      service,
      bank.gate,
      receiver,
      new AppBackEnd(baseUrl, service.app.sandbox),
      new StoredTruth(() => service.info.database_url),
    );
  }

  async dispose(): Promise<void> {
    await this.receiver.stop();
    await this.service.dispose();
    await this.gate.close();
  }

  /** Brings a link to every moment and holds it there. */
  async begin(): Promise<void> {
    const { linkId } = await linkInstantBank(this.app);
    await this.app.untilRefreshed(linkId, 'transactions');
    this.reader = {
      linkId,
      firstPage: await this.app.get<SyncPage>(`/links/${linkId}/transactions/sync?size=20`),
    };

    const opened = await this.open('opened');
    const finished = await this.succeed('finished');
    const exchanging = await this.succeed('exchanging');
    const delivering = await this.succeed('delivering');
    this.receiver.answerWith('hang');
    await expectStatus(201, this.app.exchange(delivering.exchangeableToken ?? ''));
    const loggingIn = await this.open('logging in');
    const fetching = await this.open('fetching');
    await fetching.visit.select();
    this.gate.set('hang');
    const login = loggingIn.visit.submit({
      kind: 'select_institution',
      institution_id: INSTANT_BANK,
    });
    login.catch(() => undefined);
    await eventually(async () =>
      expect(await this.truth.linkOfSession(loggingIn.link.sessionId)).toMatchObject({
        state: 'connecting',
      }),
    );
    this.begun = [opened.link, finished, exchanging, delivering, loggingIn.link, fetching.link];
    // Sent, not awaited: the crash decides how it ends.
    this.app.exchange(exchanging.exchangeableToken ?? '').catch(() => undefined);
  }

  /** kill -9 of one part, which the supervisor starts again, or of everything, which is started again from outside. */
  async crash(victim: ProcessName | 'everything'): Promise<void> {
    if (victim === 'everything') {
      await this.service.killAll();
      this.wayIsFree();
      await this.service.start();
    } else {
      const pid = this.service.kill(victim);
      this.wayIsFree();
      await this.service.untilRestarted(victim, pid);
    }
  }

  /** Every user finishes what they had begun, and every app exchanges what it got. */
  async carryOn(): Promise<void> {
    await Promise.all(this.begun.map((link) => this.complete(link)));
  }

  get sessions(): readonly BegunLink[] {
    return this.begun;
  }

  /** Each link is connected, has its data, and tells one legal story. */
  async expectLegalStories(): Promise<void> {
    for (const { moment, sessionId } of this.begun) {
      const link = await this.truth.linkOfSession(sessionId);
      expect({ moment, state: link?.state }).toEqual({ moment, state: 'connected' });
      const linkId = link?.link_id ?? '';
      await this.app.untilRefreshed(linkId, 'transactions');
      const story = (await this.truth.story(linkId)).join(', ');
      expect(`${moment}: ${LEGAL_STORY.test(story) ? 'legal' : story}`).toBe(`${moment}: legal`);
      expect((await this.app.get<{ total: number }>(`/links/${linkId}/transactions`)).total).toBe(
        60,
      );
    }
    const [{ links }] = (await this.truth.rows<{ links: number }>(
      'SELECT count(*)::int AS links FROM links',
    )) as [{ links: number }];
    expect(links).toBe(this.begun.length + 1);
  }

  /** Every event arrives; a repeated one has the same key and the same bytes. */
  async expectAllDelivered(): Promise<void> {
    const stored = new Map<string, string>();
    for (const { sessionId } of this.begun) {
      const link = await this.truth.linkOfSession(sessionId);
      for (const event of await this.truth.events(link?.link_id ?? ''))
        stored.set(event.idempotency_key, event.body);
    }
    const keysReceived = () =>
      new Set(this.receiver.verified.map((body) => body.webhook_idempotency_key));
    await this.receiver.until(
      () => [...stored.keys()].every((key) => keysReceived().has(key)),
      90_000,
    );
    for (const { rawBody, body, refused } of this.receiver.received) {
      if (refused === null)
        expect(rawBody.toString('utf8')).toBe(stored.get(body.webhook_idempotency_key));
    }
    await eventually(async () => {
      const open = await this.truth.rows(
        "SELECT delivery_id, status, attempts FROM webhook_deliveries WHERE status NOT IN ('delivered', 'no_address')",
      );
      expect(open).toEqual([]);
    });
  }

  /** A cursor from before the crash goes on where it was. */
  async expectCursorGoesOn(): Promise<void> {
    if (this.reader === undefined) throw new Error('nobody was reading');
    const { linkId, firstPage } = this.reader;
    const { pages } = await this.app.walk(linkId, { cursor: firstPage.cursor.next, size: 20 });
    const ids = [firstPage, ...pages].flatMap(({ transactions }) =>
      transactions.created.map(({ transaction_id }) => transaction_id),
    );
    expect({ rows: ids.length, different: new Set(ids).size }).toEqual({ rows: 60, different: 60 });
  }

  private wayIsFree(): void {
    // Whatever hung is cut; new connections get through.
    this.gate.set('cut');
    this.gate.set('open');
    this.receiver.answerWith({ status: 204 });
    this.receiver.releaseHeld();
  }

  private async open(moment: Moment): Promise<{ link: BegunLink; visit: ConnectVisit }> {
    const { link_session_token: linkSessionToken } = await this.app.createSession({
      customer_user: { id: moment },
      webhook: this.receiver.url(),
    });
    const visit = await ConnectVisit.open(this.app.baseUrl, linkSessionToken);
    return {
      visit,
      link: { moment, linkSessionToken, sessionId: visit.view.session_id, exchangeableToken: null },
    };
  }

  private async succeed(moment: Moment): Promise<BegunLink> {
    const { link, visit } = await this.open(moment);
    await visit.select();
    return { ...link, exchangeableToken: (await visit.finish()).exchangeable_token };
  }

  private async complete({
    moment,
    linkSessionToken,
    sessionId,
    exchangeableToken,
  }: BegunLink): Promise<void> {
    const token = exchangeableToken ?? (await this.finishFrom(linkSessionToken));
    if (moment === 'delivering') return;
    const { status, body } = await persist(() => this.app.exchange(token));
    // The one whose answer the crash swallowed may have been done; then its link is connected.
    const doneBefore =
      moment === 'exchanging' &&
      status === 400 &&
      (await this.truth.linkOfSession(sessionId))?.state === 'connected';
    if (status !== 201 && !doneBefore)
      throw new Error(`exchange of "${moment}" was answered ${status}: ${JSON.stringify(body)}`);
  }

  private async finishFrom(linkSessionToken: string): Promise<string> {
    const user = await PatientUser.arrive(this.app, linkSessionToken);
    await user.untilSuccess();
    return user.finish();
  }
}
