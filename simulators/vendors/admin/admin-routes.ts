import { z } from 'zod';
import { Refusal, type Reply } from '../http/reply.js';
import type { Route } from '../http/route.js';
import { LedgerError, type Ledger } from '../ledger/ledger.js';
import type { VendorName } from '../ledger/ledger.types.js';
import { isMisbehaviorKind } from '../ledger/scripts/misbehaviors.js';
import { runScript } from '../ledger/scripts/run-script.js';

const scriptBody = z.strictObject({
  name: z.string(),
  params: z.record(z.string(), z.unknown()).default({}),
});

const timeBody = z.union([
  /** null = real time. */
  z.strictObject({ now: z.iso.datetime().nullable() }),
  z.strictObject({ advanceSeconds: z.number() }),
]);

/** Calls of tests under /simulator on the port of a vendor. None exists at the real vendor. */
export function adminRoutes(ledger: Ledger, vendor: VendorName): Route[] {
  return [
    {
      method: 'GET',
      path: '/simulator/ledger',
      handle: () => ({ status: 200, json: { now: ledger.now().toISOString(), ...ledger.data } }),
    },
    {
      method: 'POST',
      path: '/simulator/script',
      handle: async (request) =>
        withWords(async () => {
          const { name, params } = scriptBody.parse(await request.json());
          if (name === 'untidy') return { ordered: ledger.untidyAnswers.order(vendor, params) };
          if (name === 'tidy') {
            ledger.untidyAnswers.clear();
            return { ordered: null };
          }
          return isMisbehaviorKind(name)
            ? { ordered: ledger.misbehaviors.order(name, vendor, params) }
            : runScript(ledger, name, params);
        }),
    },
    {
      method: 'POST',
      path: '/simulator/reset',
      handle: () => {
        ledger.reset();
        ledger.requests.clear(vendor);
        return { status: 200, json: { now: ledger.now().toISOString() } };
      },
    },
    {
      method: 'POST',
      path: '/simulator/time',
      handle: async (request) =>
        withWords(async () => {
          const body = timeBody.parse(await request.json());
          if ('now' in body) ledger.setTime(body.now === null ? null : new Date(body.now));
          else ledger.setTime(new Date(ledger.now().getTime() + body.advanceSeconds * 1_000));
          return { now: ledger.now().toISOString() };
        }),
    },
    {
      method: 'GET',
      path: '/simulator/requests',
      handle: () => ({ status: 200, json: { requests: ledger.requests.of(vendor) } }),
    },
    {
      method: 'DELETE',
      path: '/simulator/requests',
      handle: () => {
        ledger.requests.clear(vendor);
        return { status: 204 };
      },
    },
  ];
}

/** Runs an order of a test; an invalid one gets a 400 with its reason. */
export async function withWords(run: () => unknown): Promise<Reply> {
  try {
    return { status: 200, json: await run() };
  } catch (error) {
    if (error instanceof z.ZodError) refuse(z.prettifyError(error));
    if (error instanceof LedgerError) refuse(error.message);
    throw error;
  }
}

function refuse(message: string): never {
  throw new Refusal({ status: 400, json: { error: message } });
}
