import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Progress } from '../progress.js';
import type { TemporalCandidate } from './temporal-cache.js';
import { runProgram } from '../supervision/run-program.js';
import { TEMPORAL_CLI_VERSION } from './server-settings.js';
import { TEMPORAL_PROGRAM } from './temporal-cache.js';

const VENDOR = 'temporal.download';
const REACHABLE_WITHIN_MS = 10_000;
const DOWNLOAD_WITHIN_MS = 10 * 60_000;

/** The vendor's own download, done by the SDK, which knows the URL of each platform's archive. */
export async function downloadTemporal(
  cache: string,
  progress: Progress,
): Promise<TemporalCandidate> {
  if (!(await progress.during('Looking for the Temporal download', isReachable(VENDOR))))
    return { because: `${VENDOR} cannot be reached` };
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'download-'));
  try {
    // In a process of its own: the SDK can only download by starting a server, and has no timeout.
    const entry = fileURLToPath(new URL('./download-main.js', import.meta.url));
    const { ok, output } = await progress.during(
      'Downloading the Temporal server',
      runProgram(process.execPath, [entry, folder, TEMPORAL_CLI_VERSION], {
        within: DOWNLOAD_WITHIN_MS,
      }),
    );
    const [program] = readdirSync(folder).filter((name) => name.startsWith('temporal'));
    if (!ok || program === undefined)
      return { because: `the download failed: ${output.split('\n').at(-1) ?? ''}` };
    const path = join(cache, TEMPORAL_PROGRAM);
    chmodSync(join(folder, program), 0o755);
    renameSync(join(folder, program), path);
    return { path };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function isReachable(host: string): Promise<boolean> {
  const limit = AbortSignal.timeout(REACHABLE_WITHIN_MS);
  const over = new Promise<false>((resolve) => {
    limit.addEventListener('abort', () => resolve(false), { once: true });
  });
  return Promise.race([
    over,
    lookup(host).then(
      () => answers(host, limit),
      () => false,
    ),
  ]);
}

const answers = (host: string, limit: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port: 443 });
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
    limit.addEventListener('abort', () => settle(false), { once: true });
  });
