import { AppBackEnd } from '../actors/link-journey.js';
import { linkInstantBank } from '../actors/link-instant-bank.js';
import { PatientUser, retryUntilResponse } from '../actors/patient-user.js';
import { eventually } from '../assertions/eventually.js';
import { StoredTruth } from '../assertions/stored-truth.js';
import { WebhookReceiver } from '../receivers/webhook-receiver.js';
import { startServiceOnCluster, type ServiceOnCluster } from './service-on-cluster.js';
import { Traffic } from './traffic.js';
import { startWholeCluster, type WholeCluster } from './whole-cluster.js';

const ROWS_OF_INSTANT_BANK = 60;

export interface ClusterStageOptions {
  /** Further settings of the service. */
  env?: Readonly<Record<string, string>>;
  /** The delay with which the balancer notices that an API leaves or returns. */
  balancerLateMs: number;
}

/**
 * The service on a cluster, with an app that receives webhooks, and the promises that both must
 * keep in the end.
 */
export class ClusterStage {
  private constructor(
    readonly cluster: WholeCluster,
    readonly service: ServiceOnCluster,
    readonly receiver: WebhookReceiver,
    readonly app: AppBackEnd,
    readonly truth: StoredTruth,
    private readonly readLink: string,
  ) {}

  static async start({ env = {}, balancerLateMs }: ClusterStageOptions): Promise<ClusterStage> {
    const cluster = await startWholeCluster();
    const databaseUrl = cluster.postgres.urlOf();
    const service = await startServiceOnCluster({
      folder: cluster.folder,
      databaseUrl,
      env: { ...cluster.temporal.env, ...env },
      balancerLateMs,
    });
    const receiver = await WebhookReceiver.start({ verify: service.balancer.url });
    const app = new AppBackEnd(service.balancer.url, service.pair);
    const { linkId } = await linkInstantBank(app, { webhook: receiver.url() });
    await app.untilRefreshed(linkId, 'transactions');
    const truth = new StoredTruth(() => databaseUrl);
    return new ClusterStage(cluster, service, receiver, app, truth, linkId);
  }

  traffic(): Traffic {
    const linkBank = () => this.linkPatiently();
    return Traffic.start({ app: this.app, linkId: this.readLink, linkBank });
  }

  /**
   * Restarts the APIs and the workers, one after another, under load.
   * @returns the number of times that each webhook event arrived
   */
  async rollUnderLoad(): Promise<number[]> {
    const { apis, workers } = this.service;
    return this.underLoad(async () => {
      for (const process of [...apis, ...workers]) {
        await process.stop();
        await process.start();
        await this.untilAllServe();
      }
    });
  }

  /**
   * Runs an action while requests arrive and users link banks. Nothing fails and nothing is lost.
   * @returns the number of times that each webhook event arrived
   */
  async underLoad(work: (traffic: Traffic) => Promise<void>): Promise<number[]> {
    const { forwarded } = this.service.balancer;
    await this.untilAllServe();
    forwarded.failed.length = 0;
    const traffic = this.traffic();
    try {
      await eventually(() => expect(traffic.linked.length).toBeGreaterThan(0));
      await work(traffic);
    } finally {
      await traffic.stop();
    }
    expect(forwarded.failed).toEqual([]);
    expect(traffic.failures).toEqual([]);
    return this.expectNothingLost(traffic.linked);
  }

  /** Waits until a user links a bank and its data is available without a single failure. */
  async untilNormal(): Promise<void> {
    const { forwarded } = this.service.balancer;
    await eventually(async () => {
      const before = forwarded.failed.length;
      const { linkId } = await linkInstantBank(this.app, { webhook: this.receiver.url() });
      await this.app.untilRefreshed(linkId, 'transactions');
      const failed = forwarded.failed.slice(before);
      if (failed.length > 0) throw new Error(failed.join(', '));
    });
  }

  /**
   * Every link is connected and has its data, and every event is delivered.
   * @returns the number of times that each event arrived
   */
  async expectNothingLost(linkIds: readonly string[]): Promise<number[]> {
    for (const linkId of linkIds) {
      await this.app.untilRefreshed(linkId, 'transactions');
      expect((await this.app.link(linkId)).state).toBe('connected');
      const { total } = await this.app.get<{ total: number }>(`/links/${linkId}/transactions`);
      expect(total).toBe(ROWS_OF_INSTANT_BANK);
    }
    await eventually(async () =>
      expect(
        await this.truth.rows(
          "SELECT delivery_id, status, attempts FROM webhook_deliveries WHERE status NOT IN ('delivered', 'no_address')",
        ),
      ).toEqual([]),
    );
    expect(this.receiver.received.flatMap(({ refused }) => refused ?? [])).toEqual([]);
    const events = await this.truth.rows<{ idempotency_key: string }>(
      'SELECT idempotency_key FROM webhook_events WHERE link_id = ANY($1)',
      [linkIds],
    );
    expect(events.length).toBeGreaterThan(linkIds.length);
    const arrivals = this.receiver.verified.map((body) => body.webhook_idempotency_key);
    return events.map(({ idempotency_key: key }) => arrivals.filter((each) => each === key).length);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.receiver.stop();
    await this.cluster.stop();
  }

  private untilAllServe(): Promise<void> {
    const { apis, balancer } = this.service;
    return eventually(() => expect(balancer.serving()).toHaveLength(apis.length));
  }

  private async linkPatiently(): Promise<string> {
    const { body: session } = await retryUntilResponse(() =>
      this.app.call<{ link_session_token: string }>('POST', '/link-session', {
        body: {
          customer_user: { id: 'user-1' },
          products_settings: { transactions: { required: true, prefetch: true } },
          webhook: this.receiver.url(),
        },
      }),
    );
    const user = await PatientUser.arrive(this.app, session.link_session_token);
    await user.untilSuccess();
    const token = await user.finish();
    const { status, body } = await retryUntilResponse(() => this.app.exchange(token));
    if (status !== 201) throw new Error(`exchange returned ${status}: ${JSON.stringify(body)}`);
    return body.link_id;
  }
}
