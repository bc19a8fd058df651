import {
  createSandboxProvider,
  type SandboxProvider,
} from '../../../../providers/sandbox/sandbox-provider.js';
import { createTestDatabase } from '../../../support/services/embedded-services.js';
import type { Visit } from '../../../support/actors/oauth-bank-visitor.js';
import { startSandboxBank, connectionTo, type SandboxBankProcess } from './sandbox-bank.js';
import { bankCustomer } from '../bank-customer.js';

export const BANK = 'sandbox-oauth-bank';
export const ALL = ['Everyday Checking', 'Rainy Day Savings', 'Rewards Card'];
export let database: Awaited<ReturnType<typeof createTestDatabase>>;
export let bank: SandboxBankProcess;
export let provider: SandboxProvider;
export let customer: ReturnType<typeof bankCustomer>;

/** Starts the sandbox bank, and a customer of its OAuth Bank. */
export function startOAuthBank(): void {
  beforeAll(async () => {
    database = await createTestDatabase();
    bank = await startSandboxBank({ databaseUrl: database.url });
    provider = createSandboxProvider(connectionTo(bank));
    customer = bankCustomer(provider, BANK);
  });

  afterAll(async () => {
    await bank.stop();
    await database.drop();
  });
}

export async function killAndRestart(): Promise<void> {
  const { ports } = bank;
  await bank.kill();
  bank = await startSandboxBank({ databaseUrl: database.url, ports });
}

export const accountsOf = async (outcome: Parameters<typeof customer.accessOf>[0]) =>
  (await provider.fetchAccounts(customer.accessOf(outcome))).accounts.map(({ name }) => name);

export function pageOf(visit: Visit): Extract<Visit, { kind: 'page' }> {
  if (visit.kind !== 'page') throw new Error(`left for ${visit.address}`);
  return visit;
}

export function addressOf(visit: Visit): URL {
  if (visit.kind !== 'left') throw new Error(`still on a page:\n${visit.html}`);
  return new URL(visit.address);
}
