import type { TcpGate } from '../../support/services/tcp-gate.js';
import { freePort } from '../../../apps/standalone/src/ports.js';
import { eventually } from '../../support/assertions/eventually.js';
import { gateToBank } from '../../support/services/gated-bank.js';
import {
  AppBackEnd,
  ConnectVisit,
  expectStatus,
  INSTANT_BANK,
} from '../../support/actors/link-journey.js';
import { linkInstantBank } from '../../support/actors/link-instant-bank.js';
import type { SyncPage } from '../../support/actors/response-bodies.js';
import { PatientUser, retryUntilResponse } from '../../support/actors/patient-user.js';
import { Standalone, type ProcessName } from '../../support/services/standalone.js';
import { StoredTruth } from '../../support/assertions/stored-truth.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';

/**
 * link-lifecycle 6.4, including the failed attempts that a crash in the middle of a login may
 * leave behind.
 */
const VALID_STORY = new RegExp(
  `^state connecting(, state error/(institution_error|system_error|user_error), state connecting)*, state awaiting_token_exchange, state connected, ${'accounts completed, transactions completed, transactions\\.updates_available has_history=false'}$`,
);

/** The activity of a link at the moment of the crash. */
type Moment = 'opened' | 'logging in' | 'fetching' | 'finished' | 'exchanging' | 'delivering';
const MOMENTS: readonly Moment[] = [
  'opened',
  'logging in',
  'fetching',
  'finished',
  'exchanging',
  'delivering',
];

interface StartedLink {
  moment: Moment;
  linkSessionToken: string;
  sessionId: string;
  exchangeableToken: string | null;
}

/**
 * Links at six moments of their lives, one crash for all of them, and the promises that must hold
 * afterwards.
 */
class CrashStory {
  private startedLinks: StartedLink[] = [];
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
    // The address must stay the same after a restart of everything.
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
        RATE_LIMIT_ANONYMOUS: 'off',
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

  /** Brings one link to each moment and holds it there. */
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
    this.receiver.respondWith('hang');
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
    this.startedLinks = [
      opened.link,
      finished,
      exchanging,
      delivering,
      loggingIn.link,
      fetching.link,
    ];
    // Sent, not awaited: the crash decides its outcome.
    this.app.exchange(exchanging.exchangeableToken ?? '').catch(() => undefined);
  }

  /**
   * Kills (SIGKILL) one process, which the supervisor restarts, or all of them, which the test
   * restarts.
   */
  async crash(victim: ProcessName | 'everything'): Promise<void> {
    if (victim === 'everything') {
      await this.service.killAll();
      this.openGate();
      await this.service.start();
    } else {
      const pid = this.service.kill(victim);
      this.openGate();
      await this.service.untilRestarted(victim, pid);
    }
  }

  /** Every user completes the session, and every app exchanges its token. */
  async completeAll(): Promise<void> {
    await Promise.all(this.startedLinks.map((link) => this.complete(link)));
  }

  get sessions(): readonly StartedLink[] {
    return this.startedLinks;
  }

  /** Every link is connected, has its data, and has a legal sequence of events. */
  async expectValidStories(): Promise<void> {
    for (const { moment, sessionId } of this.startedLinks) {
      const link = await this.truth.linkOfSession(sessionId);
      expect({ moment, state: link?.state }).toEqual({ moment, state: 'connected' });
      const linkId = link?.link_id ?? '';
      await this.app.untilRefreshed(linkId, 'transactions');
      const story = (await this.truth.story(linkId)).join(', ');
      expect(`${moment}: ${VALID_STORY.test(story) ? 'legal' : story}`).toBe(`${moment}: legal`);
      expect((await this.app.get<{ total: number }>(`/links/${linkId}/transactions`)).total).toBe(
        60,
      );
    }
    const [{ links }] = (await this.truth.rows<{ links: number }>(
      'SELECT count(*)::int AS links FROM links',
    )) as [{ links: number }];
    expect(links).toBe(this.startedLinks.length + 1);
  }

  /** Every event arrives, and repeats have the same key and the same bytes. */
  async expectAllDelivered(): Promise<void> {
    const stored = new Map<string, string>();
    for (const { sessionId } of this.startedLinks) {
      const link = await this.truth.linkOfSession(sessionId);
      for (const event of await this.truth.events(link?.link_id ?? ''))
        stored.set(event.idempotency_key, event.body);
    }
    const keysReceived = () =>
      new Set(this.receiver.verified.map((body) => body.webhook_idempotency_key));
    await this.receiver.until(() => [...stored.keys()].every((key) => keysReceived().has(key)));
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

  /** A cursor from before the crash continues from its position. */
  async expectCursorContinues(): Promise<void> {
    if (this.reader === undefined) throw new Error('no cursor was read before the crash');
    const { linkId, firstPage } = this.reader;
    const { pages } = await this.app.walk(linkId, { cursor: firstPage.cursor.next, size: 20 });
    const ids = [firstPage, ...pages].flatMap(({ transactions }) =>
      transactions.created.map(({ transaction_id }) => transaction_id),
    );
    expect({ rows: ids.length, different: new Set(ids).size }).toEqual({ rows: 60, different: 60 });
  }

  private openGate(): void {
    // Open connections are cut; new ones get through.
    this.gate.set('cut');
    this.gate.set('open');
    this.receiver.respondWith({ status: 204 });
    this.receiver.releaseHeld();
  }

  private async open(moment: Moment): Promise<{ link: StartedLink; visit: ConnectVisit }> {
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

  private async succeed(moment: Moment): Promise<StartedLink> {
    const { link, visit } = await this.open(moment);
    await visit.select();
    return { ...link, exchangeableToken: (await visit.finish()).exchangeable_token };
  }

  private async complete({
    moment,
    linkSessionToken,
    sessionId,
    exchangeableToken,
  }: StartedLink): Promise<void> {
    const token = exchangeableToken ?? (await this.finishFrom(linkSessionToken));
    if (moment === 'delivering') return;
    const { status, body } = await retryUntilResponse(() => this.app.exchange(token));
    // The operation whose response was lost in the crash may have completed; then its link is
    // connected.
    const doneBefore =
      moment === 'exchanging' &&
      status === 400 &&
      (await this.truth.linkOfSession(sessionId))?.state === 'connected';
    if (status !== 201 && !doneBefore)
      throw new Error(`exchange of "${moment}" returned ${status}: ${JSON.stringify(body)}`);
  }

  private async finishFrom(linkSessionToken: string): Promise<string> {
    const user = await PatientUser.arrive(this.app, linkSessionToken);
    await user.untilSuccess();
    return user.finish();
  }
}

describe.each(['api', 'worker', 'webhooks', 'temporal', 'postgres', 'everything'] as const)(
  'Killing %s',
  (victim) => {
    let story: CrashStory;

    beforeAll(async () => {
      story = await CrashStory.prepare();
      await story.begin();
      await story.crash(victim);
      await story.completeAll();
    });

    afterAll(() => story?.dispose());

    it('at six moments of a link loses none of the links', () => {
      expect(story.sessions.map(({ moment }) => moment).sort()).toEqual([...MOMENTS].sort());
    });

    it('leaves every link in a valid state with each of its events once', () =>
      story.expectValidStories());

    it('delivers every event, and repeats use the same key and bytes', () =>
      story.expectAllDelivered());

    it('lets a sync cursor continue', () => story.expectCursorContinues());
  },
);
