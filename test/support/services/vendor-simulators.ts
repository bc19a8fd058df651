import { Ledger } from '../../../simulators/vendors/ledger/ledger.js';
import type { VendorServer } from '../../../simulators/vendors/server/start-vendor-server.js';
import type { LedgerData } from '../../../simulators/vendors/ledger/ledger.types.js';
import type { RequestRecord } from '../../../simulators/vendors/ledger/request-log.js';
import { startVendor } from '../../../simulators/vendors/server/start-vendor.js';
import type { VendorName } from '../../../simulators/vendors/vendors.js';

export interface TestSimulator {
  url: string;
  server: VendorServer;
  /** The ledger to compare with. */
  ledger(): Promise<LedgerData & { now: string }>;
  /** Changes the ledger, or makes the server misbehave for some calls. */
  script(name: string, params?: Record<string, unknown>): Promise<unknown>;
  /** Another call for tests, below /simulator, for example `simplefin/setup-token`. */
  post(path: string, body: object): Promise<Record<string, string>>;
  reset(): Promise<void>;
  /** Fixes the clock; null = real time. */
  setTime(now: Date | null): Promise<void>;
  advance(seconds: number): Promise<void>;
  /** The requests that reached the vendor's addresses since the start or the last reset. */
  requests(): Promise<RequestRecord[]>;
  close(): Promise<void>;
}

/** Starts one vendor in this process, on a free port. Two vendors can share a ledger. */
export async function startVendorSimulator(
  vendor: VendorName,
  { now, ledger = new Ledger({ now }) }: { now?: Date; ledger?: Ledger } = {},
): Promise<TestSimulator> {
  return testSimulator(await startVendor(vendor, { ledger }));
}

/** The calls for tests of a server that was started elsewhere. */
export function testSimulator(server: VendorServer): TestSimulator {
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${server.url}/simulator/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  return {
    url: server.url,
    server,
    ledger: async () => (await call('GET', 'ledger')) as LedgerData & { now: string },
    script: (name, params = {}) => call('POST', 'script', { name, params }),
    post: async (path, body) => (await call('POST', path, body)) as Record<string, string>,
    reset: async () => void (await call('POST', 'reset')),
    setTime: async (now) => void (await call('POST', 'time', { now: now?.toISOString() ?? null })),
    advance: async (advanceSeconds) => void (await call('POST', 'time', { advanceSeconds })),
    requests: async () =>
      ((await call('GET', 'requests')) as { requests: RequestRecord[] }).requests,
    close: () => server.close(),
  };
}
