import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../../../../apps/platform/src/logging/logger.js';
import { ConfigurationChecks } from '../../../../apps/worker/src/configurations/configuration-checks.js';
import type { Context } from '../../../../prisma/base/context.js';
import { ConfigurationCheckRepository } from '../../../../prisma/work/providers/configuration-check.repository.js';
import { LiabilityRateRepository } from '../../../../prisma/links/liabilities/liability-rate.repository.js';
import { RouteRenewalRepository } from '../../../../prisma/sources/routing/route-renewal.repository.js';
import { ProviderConfigurationRepository } from '../../../../prisma/work/providers/provider-configuration.repository.js';
import { runCommand } from '../../../support/actors/operator.js';
import { Canaries } from '../../../support/fixtures/canaries.js';
import { openStorage, type Storage } from '../../../support/fixtures/stored-link.js';
import { SIMPLEFIN_SETTINGS } from '../../../../providers/simplefin/settings.js';
import { TrialSource } from '../../../support/fixtures/trial-adapter.js';

export const FIRST_KEY = 'canary-key-of-the-operator-1';
export const SECOND_KEY = 'canary-key-of-the-operator-2';
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
export const SIGNING_KEY = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();

export let source: TrialSource;
export let folder: string;
export let storage: Storage;
export let ctx: Context;
export let env: Record<string, string>;
export let worker: ConfigurationChecks;
/** Everything that the worker logged, and that commands printed. */
export let log: string;
export let printed: string;

/** Opens a database with one adapter on trial, and the worker that checks configurations of it. */
export function startConfigurations(): void {
  beforeAll(async () => {
    source = new TrialSource();
    folder = mkdtempSync(join(tmpdir(), 'tributary-secrets-'));
    log = '';
    printed = '';
    const key = randomBytes(32);
    storage = await openStorage(undefined, key);
    ({ ctx } = storage);
    env = {
      DATABASE_URL: storage.url,
      MASTER_KEYS: `test:${key.toString('base64')}`,
      SANDBOX_PROVIDER_NAME: 'practice',
    };
    const destination = { write: (line: string) => (log += line) };
    worker = new ConfigurationChecks({
      configurations: new ProviderConfigurationRepository(ctx),
      checks: new ConfigurationCheckRepository(ctx),
      renewals: new RouteRenewalRepository(ctx),
      rates: new LiabilityRateRepository(ctx),
      adapters: [source.adapter],
      logger: createLogger({ name: 'worker', level: 'debug', format: 'json', destination }),
      pollMs: 20,
    });
    source.acceptedKey = FIRST_KEY;
  });

  afterAll(async () => {
    await expectNoSecrets();
    await worker.stop();
    await storage.close();
    rmSync(folder, { recursive: true });
  });
}

/** Runs `providers …` with a terminal at which `typed` is typed. */
export async function providers(args: readonly string[], typed = '') {
  const ended = await runCommand(['providers', ...args], env, {
    adapters: { trial: source.adapter.settings, simplefin: SIMPLEFIN_SETTINGS },
    secretInput: { read: () => Promise.resolve(typed), prompt: () => Promise.resolve(typed) },
  });
  printed += ended.stdout + ended.stderr;
  return ended;
}

export async function shown(name: string): Promise<Record<string, unknown>> {
  const { stdout } = await providers(['show', name, '--json']);
  return JSON.parse(stdout) as Record<string, unknown>;
}

export const add = (name: string, ...args: string[]) =>
  providers(['add', 'trial', '--name', name, '--secret', 'api_key=-', ...args], FIRST_KEY);

export const wholeDatabase = async () => {
  const { rows } = await ctx.database.pool.query<{ text: string }>(
    `SELECT query_to_xml('SELECT * FROM provider_configurations', true, false, '')::text
         || query_to_xml('SELECT * FROM data_keys', true, false, '')::text AS text`,
  );
  return rows.map(({ text }) => text).join();
};

/** Neither output, log nor table contains a secret of a configuration. */
export async function expectNoSecrets(): Promise<void> {
  const canaries = new Canaries();
  canaries.add('first key', FIRST_KEY);
  canaries.add('second key', SECOND_KEY);
  canaries.add('signing key', SIGNING_KEY.split('\n')[1] ?? '');
  expect(canaries.findIn(printed)).toEqual([]);
  expect(canaries.findIn(log)).toEqual([]);
  expect(canaries.findIn(await wholeDatabase())).toEqual([]);
}
