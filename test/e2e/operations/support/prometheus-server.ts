import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { freePort } from '../../../../apps/standalone/src/ports.js';
import { eventually } from '../../../support/assertions/eventually.js';

/** Addresses of metrics by job. */
export type Targets = Readonly<Record<string, readonly string[]>>;

/**
 * Returns true if Prometheus is installed (`apt-get install prometheus`), and logs a message if it
 * is not.
 */
export function findPrometheus(): boolean {
  try {
    execFileSync('prometheus', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write('\n  prometheus is missing: no alert is seen firing.\n');
    return false;
  }
}

/** A Prometheus that scrapes and evaluates every second. */
export class PrometheusServer {
  private constructor(
    private readonly url: string,
    private readonly child: ChildProcess,
    private readonly folder: string,
  ) {}

  /**
   * @param rules the text of a file of rules
   * @param jobs further entries of `scrape_configs`
   */
  static async start(
    rules: string,
    targets: Targets,
    jobs: readonly object[] = [],
  ): Promise<PrometheusServer> {
    const folder = mkdtempSync(join(tmpdir(), 'tributary-prometheus-'));
    writeFileSync(join(folder, 'rules.yml'), rules);
    writeFileSync(
      join(folder, 'prometheus.yml'),
      stringify({
        global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
        rule_files: ['rules.yml'],
        scrape_configs: [
          ...Object.keys(targets).map((job) => ({
            job_name: job,
            file_sd_configs: [{ files: [`${job}.json`], refresh_interval: '1s' }],
          })),
          ...jobs,
        ],
      }),
    );
    const address = `127.0.0.1:${await freePort('127.0.0.1')}`;
    for (const [job, addresses] of Object.entries(targets)) writeTargets(folder, job, addresses);
    const child = spawn(
      'prometheus',
      [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=${address}`,
        '--log.level=error',
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    process.once('exit', () => child.kill('SIGKILL'));
    const server = new PrometheusServer(`http://${address}`, child, folder);
    await eventually(() => server.query('/-/ready'));
    return server;
  }

  /** Replaces the targets of a job. */
  scrapes(job: string, addresses: readonly string[]): void {
    writeTargets(this.folder, job, addresses);
  }

  /** The names of the alerts that are firing. */
  async firing(): Promise<string[]> {
    const text = await this.query('/api/v1/alerts');
    const { data } = JSON.parse(text) as {
      data: { alerts: { state: string; labels: { alertname: string } }[] };
    };
    const names = data.alerts
      .filter(({ state }) => state === 'firing')
      .map(({ labels }) => labels.alertname);
    return [...new Set(names)].sort();
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    if (this.child.exitCode === null) {
      this.child.kill('SIGTERM');
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async query(path: string): Promise<string> {
    const response = await fetch(this.url + path, { signal: AbortSignal.timeout(10_000) });
    if (!response.ok) throw new Error(`Prometheus answers ${path} with ${response.status}`);
    return response.text();
  }
}

/** Written atomically, since Prometheus watches the file. */
function writeTargets(folder: string, job: string, addresses: readonly string[]): void {
  const file = join(folder, `${job}.json`);
  const targets = addresses.map((address) => new URL(address).host);
  writeFileSync(`${file}.new`, JSON.stringify(targets.length === 0 ? [] : [{ targets }]));
  renameSync(`${file}.new`, file);
}
