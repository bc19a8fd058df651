import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createFdxBank } from '../../../../simulators/vendors/fdx/create-fdx-bank.js';
import type { FdxBank } from '../../../../simulators/vendors/fdx/fdx-bank.types.js';
import { Ledger } from '../../../../simulators/vendors/ledger/ledger.js';
import { createEnableBankingProvider } from '../../../../providers/enable-banking/enable-banking-adapter.js';
import { ENABLE_BANKING } from '../../../../providers/enable-banking/manifest.js';
import { createFdxProvider, pinFdx } from '../../../../providers/fdx/fdx-adapter.js';
import { FDX } from '../../../../providers/fdx/manifest.js';
import type { FdxInstitution } from '../../../../providers/fdx/settings.js';
import { SIMPLEFIN } from '../../../../providers/simplefin/manifest.js';
import { createSimplefinProvider } from '../../../../providers/simplefin/simplefin-adapter.js';
import { newKeys } from '../../../support/fixtures/enable-banking-application.js';
import { fdxConfiguration } from '../../../support/fixtures/fdx-bank-configuration.js';
import { openOperatorStage, type OperatorStage } from '../operator-stage.js';
import {
  startVendorSimulator,
  testSimulator,
  type TestSimulator,
} from '../../../support/services/vendor-simulators.js';

/** For 127.0.0.1, self-signed, valid until 2021. Generated for tests only. */
const EXPIRED_CERTIFICATE = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgcKXbvvXMPBgW43tl
ho5tmfjMXVuKRhfqlVI1+U6bbYahRANCAATe4Dq5loF8NVkPfLnfvIQoDgEmGBzU
mOrpGHerqgRu3aMJfbMxrBEwvPNr1nAAmKRVwuFfiB/1z2UxRpGoTB0h
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBKjCB0KADAgECAgEBMAoGCCqGSM49BAMCMBQxEjAQBgNVBAMTCTEyNy4wLjAu
MTAeFw0yMDAxMDEwMDAwMDBaFw0yMTAxMDEwMDAwMDBaMBQxEjAQBgNVBAMTCTEy
Ny4wLjAuMTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABN7gOrmWgXw1WQ98ud+8
hCgOASYYHNSY6ukYd6uqBG7dowl9szGsETC882vWcACYpFXC4V+IH/XPZTFGkahM
HSGjEzARMA8GA1UdEQQIMAaHBH8AAAEwCgYIKoZIzj0EAwIDSQAwRgIhAIKzE4ol
EE8kV/VNkHzbY123DdYQAwJhclM6upnFJkOqAiEAlHAmu+uWLIcoNvLGGzjt4hPI
KnVZFT8B2RJba1N/60k=
-----END CERTIFICATE-----
`,
};

export const WRONG_SECRET = 'canary-of-a-wrong-client-secret';
export const REDIRECT = 'http://127.0.0.1:9/connect/oauth/callback';

export let stage: OperatorStage;
export let simplefin: TestSimulator;
export let enableBanking: TestSimulator;
export let bank: FdxBank;
/** A server whose certificate has expired. */
export let expired: Server;
export const originOf = (server: Server) =>
  `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
/** The time by which the worker's clock is ahead. */
let clockAheadMs = 0;
export const setClockAheadMs = (ms: number): void => {
  clockAheadMs = ms;
};
const now = () => new Date(Date.now() + clockAheadMs);

/** Starts the simulators of all vendors, and a worker whose clock a test may change. */
export function startOperatorErrors(): void {
  beforeAll(async () => {
    expired = createServer(EXPIRED_CERTIFICATE, (_, response) => response.end());
    await once(expired.listen(0, '127.0.0.1'), 'listening');
    simplefin = await startVendorSimulator('simplefin');
    enableBanking = await startVendorSimulator('enable-banking');
    bank = await createFdxBank({ ledger: new Ledger() });
    stage = await openOperatorStage([
      { ...SIMPLEFIN, create: (given) => createSimplefinProvider(given) },
      { ...ENABLE_BANKING, create: (given) => createEnableBankingProvider(given, { now }) },
      { ...FDX, create: (given) => createFdxProvider(given, { now }), pin: pinFdx },
    ]);
    const { settings, secrets } = fdxConfiguration(bank);
    for (const institution of settings['institutions'] as FdxInstitution[])
      await stage.write(`${institution.remoteId}.json`, JSON.stringify([institution]));
    await stage.write('authority.pem', bank.trial.certificateAuthority);
    await stage.write('client-key.json', secrets['signingKey'] ?? '');
    const otherKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    await stage.write(
      'other-key.pem',
      otherKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    );
    await stage.write('other-rsa-key.pem', (await newKeys()).privateKey);
  });

  afterAll(async () => {
    await stage?.close();
    await bank?.close();
    await enableBanking?.close();
    await simplefin?.close();
    expired.close();
  });

  afterEach(async () => {
    clockAheadMs = 0;
    await simplefin.reset();
    await testSimulator(bank).reset();
  });
}

/** Adds a configuration of the Sandbox with the words of a command. */
export async function add(adapter: string, name: string, words: string, typed = ''): Promise<void> {
  const start = ['providers', 'add', adapter, '--name', name, '--environment', 'sandbox'];
  const { status, stderr } = await stage.run([...start, ...words.split(' ')], typed);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
}

export const addBank = (remoteId: string, name: string, words: string, typed = '') =>
  add(
    'fdx',
    name,
    `--set institutions=@${remoteId}.json --set certificateAuthority=@authority.pem --set allowLoopback=true ${words}`,
    typed,
  );

interface Checked {
  ok: boolean;
  broken: boolean;
  lines: { what: string; ok: boolean; detail: string | null; remedy: string | null }[];
}

export async function check(name: string): Promise<Checked> {
  const { stdout } = await stage.run(['providers', 'check', name, '--json']);
  return JSON.parse(stdout) as Checked;
}
