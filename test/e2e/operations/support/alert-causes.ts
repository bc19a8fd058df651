import { once } from 'node:events';
import { Client, Connection } from '@temporalio/client';
import autocannon from 'autocannon';
import { operate } from '../../../support/actors/operator.js';
import { productRefreshWorkflowId } from '../../../../workflows/product-refresh/product-refresh.contract.js';
import { SANDBOX_LINKS_QUEUE } from '../../../../workflows/task-queues.js';
import { testTemporalAddress } from '../../../support/services/embedded-services.js';
import type { PrometheusServer } from './prometheus-server.js';
import { agedKeys, refusedCredentials } from './key-causes.js';
import { startSecondBuild } from './second-build.js';
import { linkUntidyBank, UNTIDY_ANSWERS, type UntidyBank } from './untidy-bank.js';
import type { WatchedCertificate } from './watched-certificate.js';
import type { WatchedService } from './watched-service.js';
import { connectTo } from '../../../support/services/postgres.mjs';

/** Calls that are repeated until the load ends, whatever they return. */
interface Load {
  end(): Promise<void>;
}

/**
 * @param callers the number of concurrent callers, each of which calls again as soon as its last
 * call has finished
 */
function startLoad(callers: number, call: (caller: number) => Promise<unknown>): Load {
  let ended = false;
  const run = async (caller: number): Promise<void> => {
    while (!ended) await call(caller).catch(() => undefined);
  };
  const running = Array.from({ length: callers }, (_, caller) => run(caller));
  return {
    end: async () => {
      ended = true;
      await Promise.all(running);
    },
  };
}

/** The tools of a cause. */
export interface Stage {
  watched: WatchedService;
  prometheus: PrometheusServer;
  certificate: WatchedCertificate | undefined;
}

export interface Cause {
  /** A clause. */
  title: string;
  /** The alerts that it triggers. It may trigger others, too. */
  alerts: string[];
  /** Requires the blackbox exporter. */
  isProbed?: boolean;
  /** @returns a function that removes the cause */
  begin(): Promise<() => Promise<void>>;
}

const PRODUCTS = ['accounts', 'transactions'];
const LINKS = 12;
const UNOPENED = 20;
/** Longer than any cause needs. */
const FOR_SECONDS = 3_600;

/** The cause of each alert. The order matters. */
export function causesOfAlerts(stage: () => Stage): Cause[] {
  /** The app of every link requests a refresh, over and over. */
  const refreshing = (links: readonly string[] = stage().watched.links) => {
    const { app } = stage().watched;
    return startLoad(links.length, async (index) => {
      await app.call('POST', `/links/${links[index]}/products`, { body: { products: PRODUCTS } });
      await new Promise((resolve) => setTimeout(resolve, 2_000));
    });
  };
  const reading = (callers: number) => {
    const { app, links } = stage().watched;
    return startLoad(callers, (index) =>
      app.call('GET', `/links/${links[index % links.length]}/accounts`),
    );
  };
  let untidy: Promise<UntidyBank> | undefined;
  const untidyBank = () => (untidy ??= linkUntidyBank(stage().watched));
  const closed = (gate: keyof WatchedService['gates']) => {
    const { gates } = stage().watched;
    gates[gate].set('cut');
    return () => gates[gate].set('open');
  };

  return [
    {
      title: 'users open none of their sessions',
      alerts: ['TributarySessionsFail'],
      begin: async () => {
        const { app, link } = stage().watched;
        for (let left = 0; left < UNOPENED; left += 1) await app.createSession();
        return () => link(LINKS);
      },
    },
    {
      title: 'an app may hold no more rows than it has',
      alerts: ['TributaryAppNearBound', 'TributaryAppGrows'],
      begin: async () => {
        const { service } = stage().watched;
        const limit = (max: string) =>
          operate(service.dataDir, 'apps', 'limit', service.app.app_id, 'sandbox', 'rows', max);
        await limit('1');
        return async () => {
          await limit('default');
        };
      },
    },
    {
      title: 'an app lets many finance apps in',
      alerts: ['TributaryManySimplefinTokens'],
      begin: async () => {
        const { app, service } = stage().watched;
        for (let token = 0; token <= 100; token += 1)
          await app.call('POST', `/users/user-${token}/simplefin-tokens`, { body: {} });
        return async () => {
          const { app_id: appId } = service.app;
          await operate(
            service.dataDir,
            'users',
            'simplefin-tokens',
            'revoke-all',
            appId,
            'sandbox',
          );
        };
      },
    },
    {
      title: 'keys are old',
      alerts: ['TributarySigningKeyOld', 'TributaryMasterKeyOld'],
      begin: () => agedKeys(stage().watched),
    },
    {
      title: 'keys of a source are refused and a certificate has expired',
      alerts: ['TributaryProviderBroken', 'TributaryCredentialsEnding'],
      begin: () => refusedCredentials(stage().watched),
    },
    ...UNTIDY_ANSWERS.map(({ title, order }) => ({
      title,
      alerts: ['TributarySourceUnreadable'],
      begin: async () => {
        const { simulator, links } = await untidyBank();
        await simulator.script('untidy', order);
        const load = refreshing(links);
        return async () => {
          await simulator.script('tidy');
          // Successful fetches outnumber the others before the failures are forgotten.
          await load.end();
        };
      },
    })),
    {
      title: 'a process of another build runs beside the others',
      alerts: ['TributaryVersionsDiffer'],
      begin: async () => {
        const { watched, prometheus } = stage();
        const { url, stop } = await startSecondBuild(watched);
        const first = watched.service.info.webhooks_metrics_url;
        prometheus.scrapes('tributary-webhooks', [first, url]);
        return async () => {
          prometheus.scrapes('tributary-webhooks', [first]);
          await stop();
        };
      },
    },
    {
      title: 'the certificate of a proxy expires within a week',
      alerts: ['TributaryCertificateEnding'],
      isProbed: true,
      begin: async () => {
        const { certificate } = stage();
        await certificate?.renew(7);
        return async () => certificate?.renew(30);
      },
    },
    {
      title: 'no API is found anymore',
      alerts: ['TributaryProcessMissing'],
      begin: async () => {
        const { watched, prometheus } = stage();
        prometheus.scrapes('tributary-api', []);
        return async () => prometheus.scrapes('tributary-api', [watched.service.info.metrics_url]);
      },
    },
    {
      title: 'the webhooks process hangs',
      alerts: ['TributaryProcessDown', 'TributaryWebhooksStopped', 'TributaryWebhooksLate'],
      begin: async () => {
        const { signal } = stage().watched;
        signal('webhooks', 'SIGSTOP');
        const load = refreshing();
        return async () => {
          await load.end();
          signal('webhooks', 'SIGCONT');
        };
      },
    },
    {
      title: 'a receiver returns 500 for every webhook',
      alerts: ['TributaryEndpointRefusing', 'TributaryWebhookRetriesLate'],
      begin: async () => {
        const { receiver } = stage().watched;
        receiver.respondWith({ status: 500 });
        const load = refreshing();
        return async () => {
          receiver.respondWith({ status: 204 });
          await load.end();
        };
      },
    },
    {
      title: 'the bank is unavailable',
      alerts: ['TributaryProviderFails'],
      begin: async () => {
        const open = closed('bank');
        const load = refreshing();
        return async () => {
          open();
          // Successful fetches outnumber the others before the failures are forgotten.
          await load.end();
        };
      },
    },
    {
      title: 'Temporal is unavailable',
      alerts: [
        'TributaryNotReady',
        'TributaryWorkerNotPolling',
        'TributaryOutboxStuck',
        'TributaryRefreshesLate',
        'TributaryRefreshesStopped',
        'TributaryRefreshWaits',
      ],
      begin: async () => {
        const open = closed('temporal');
        const load = refreshing();
        return async () => {
          await load.end();
          open();
        };
      },
    },
    {
      title: 'a table is locked',
      alerts: ['TributaryPoolExhausted', 'TributaryApiSlow'],
      begin: async () => {
        const lock = await connectTo(stage().watched.databaseUrl);
        await lock.query('BEGIN; LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE');
        const loads = [refreshing(), reading(3)];
        return async () => {
          await lock.end();
          await Promise.all(loads.map((load) => load.end()));
        };
      },
    },
    {
      title: 'an API receives more requests than one processor can serve',
      alerts: ['TributaryProcessSaturated'],
      begin: async () => {
        const { app, links } = stage().watched;
        const options = {
          url: `${app.baseUrl}/links/${links[0]}/accounts`,
          headers: { authorization: `Bearer ${await app.accessToken()}` },
          connections: 50,
          duration: FOR_SECONDS,
        };
        const load = autocannon(options, () => undefined);
        return async () => {
          const ended = once(load, 'done');
          load.stop();
          await ended;
        };
      },
    },
    {
      title: 'a stranger starts a workflow under the id of a link',
      alerts: ['TributaryRunsEnded'],
      begin: async () => {
        const { env, links, app } = stage().watched;
        const [link = ''] = links;
        const connection = await Connection.connect({ address: testTemporalAddress() });
        await new Client({
          connection,
          namespace: env['TEMPORAL_NAMESPACE'] ?? '',
        }).workflow.start('intruder', {
          workflowId: productRefreshWorkflowId(link),
          taskQueue: SANDBOX_LINKS_QUEUE,
          workflowIdConflictPolicy: 'TERMINATE_EXISTING',
        });
        await app.call('POST', `/links/${link}/products`, { body: { products: PRODUCTS } });
        return () => connection.close();
      },
    },
    {
      title: 'PostgreSQL is unavailable',
      alerts: ['TributaryApiErrors', 'TributarySweepsStopped', 'TributaryGaugesUnreadable'],
      begin: async () => {
        const open = closed('database');
        const load = reading(2);
        return async () => {
          open();
          await load.end();
        };
      },
    },
  ];
}
