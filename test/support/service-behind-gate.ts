import { afterAll, afterEach, beforeAll } from 'vitest';
import type { TcpGate } from '../integration/sandbox-bank/tcp-gate.js';
import { gateToBank } from './gated-bank.js';
import { AppBackEnd } from './link-journey.js';
import { Standalone } from './standalone.js';
import { StoredTruth } from './stored-truth.js';

const WITHOUT_LIMITS = {
  RATE_LIMIT_CONNECT: 'off',
  RATE_LIMIT_API: 'off',
  RATE_LIMIT_TOKEN: 'off',
};

/** What the tests of a file work with; there from their first test on. */
export let gate: TcpGate;
export let service: Standalone;
export let app: AppBackEnd;
export let truth: StoredTruth;

/** One service for the file, whose worker reaches the banks only through a gate; the gate is open when a test begins. */
export function startServiceBehindGate(env: Record<string, string> = {}): void {
  beforeAll(async () => {
    const bank = await gateToBank();
    gate = bank.gate;
    service = await Standalone.start({ env: { ...bank.env, ...WITHOUT_LIMITS, ...env } });
    app = new AppBackEnd(service.info.base_url, service.app.sandbox);
    truth = new StoredTruth(() => service.info.database_url);
  });

  afterEach(() => {
    // What hangs is cut; new connections get through.
    gate?.set('cut');
    gate?.set('open');
  });

  afterAll(async () => {
    await service?.dispose();
    await gate?.close();
  });
}
