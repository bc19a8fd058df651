import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { createCertificateAuthority } from '../../../../simulators/vendors/fdx/certificates/certificate-authority.js';
import { freePort } from '../../../../apps/standalone/src/ports.js';
import { eventually } from '../../../support/assertions/eventually.js';

const EXPORTER = 'prometheus-blackbox-exporter';
const DAY_MS = 86_400_000;
/** The job as operators activate it, without the comment characters. */
const JOB = /^ {2}# - job_name: tributary-tls\n(?: {2}# .*\n)+/m;

/**
 * Returns true if the exporter is installed (`apt-get install prometheus-blackbox-exporter`), and
 * logs a message if it is not.
 */
export function findBlackboxExporter(): boolean {
  try {
    execFileSync(EXPORTER, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write(`\n  ${EXPORTER} is missing: no certificate is seen ending.\n`);
    return false;
  }
}

/** A proxy with TLS, whose certificate the blackbox exporter reads. */
export interface WatchedCertificate {
  /** The job `tributary-tls` of deploy/prometheus/prometheus.yml, with its own addresses. */
  job: object;
  renew(days: number): Promise<void>;
  stop(): Promise<void>;
}

export async function watchCertificate(): Promise<WatchedCertificate> {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-blackbox-'));
  const authority = await createCertificateAuthority();
  const certificate = async (days: number) => {
    const { key, certificate: cert } = await authority.issueForServer('127.0.0.1', days * DAY_MS);
    return { key, cert };
  };
  const proxy = createServer(await certificate(30), (_request, response) => response.end());
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  writeFileSync(join(folder, 'ca.pem'), authority.certificate);
  const http = { tls_config: { ca_file: join(folder, 'ca.pem') } };
  writeFileSync(
    join(folder, 'blackbox.yml'),
    stringify({ modules: { http_2xx: { prober: 'http', http } } }),
  );
  const address = `127.0.0.1:${await freePort('127.0.0.1')}`;
  const exporter = spawn(
    EXPORTER,
    [
      `--config.file=${join(folder, 'blackbox.yml')}`,
      `--web.listen-address=${address}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  process.once('exit', () => exporter.kill('SIGKILL'));
  await eventually(() => fetch(`http://${address}/-/healthy`));
  const { port } = proxy.address() as AddressInfo;
  return {
    job: jobOf(`https://127.0.0.1:${port}/health/live`, address),
    renew: async (days) => {
      proxy.setSecureContext(await certificate(days));
      proxy.closeIdleConnections();
    },
    stop: async () => {
      const ended = once(exporter, 'exit');
      exporter.kill('SIGTERM');
      await ended;
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function jobOf(target: string, exporter: string): object {
  const [commented = ''] = JOB.exec(readFileSync('deploy/prometheus/prometheus.yml', 'utf8')) ?? [];
  const [job] = parse(commented.replaceAll(/^ {2}# /gm, '')) as [
    { params: { target: string[] }; static_configs: { targets: string[] }[] },
  ];
  return {
    ...job,
    params: { ...job.params, target: [target] },
    static_configs: [{ targets: [exporter] }],
  };
}
