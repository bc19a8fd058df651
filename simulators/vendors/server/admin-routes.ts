import { z } from 'zod';
import { Refusal } from '../../http/reply.js';
import type { Handler, Routes } from '../../http/routes.js';
import { LedgerError, type Ledger } from '../ledger/ledger.js';
import { isMisbehaviorKind } from '../ledger/scripts/misbehaviors.js';
import { runScript } from '../ledger/scripts/run-script.js';
import type { VendorName } from '../vendors.js';

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
export function adminRoutes(ledger: Ledger, vendor: VendorName): Routes {
  const time = () => ({ now: ledger.now().toISOString() });
  return {
    'GET /simulator/ledger': () => ({ status: 200, json: { ...time(), ...ledger.data } }),
    'POST /simulator/script': order(scriptBody, ({ name, params }) => {
      if (name === 'untidy') return { ordered: ledger.untidyAnswers.order(vendor, params) };
      if (name === 'tidy') {
        ledger.untidyAnswers.clear();
        return { ordered: null };
      }
      return isMisbehaviorKind(name)
        ? { ordered: ledger.misbehaviors.order(name, vendor, params) }
        : runScript(ledger, name, params);
    }),
    'POST /simulator/reset': () => {
      ledger.reset();
      ledger.requests.clear(vendor);
      return { status: 200, json: time() };
    },
    'POST /simulator/time': order(timeBody, (body) => {
      if ('now' in body) ledger.setTime(body.now === null ? null : new Date(body.now));
      else ledger.setTime(new Date(ledger.now().getTime() + body.advanceSeconds * 1_000));
      return time();
    }),
    'GET /simulator/requests': () => ({
      status: 200,
      json: { requests: ledger.requests.of(vendor) },
    }),
    'DELETE /simulator/requests': () => {
      ledger.requests.clear(vendor);
      return { status: 204 };
    },
  };
}

/** Runs an order of a test; an invalid one gets a 400 with its reason. */
export const order =
  <Body extends z.ZodType>(body: Body, run: (given: z.output<Body>) => unknown): Handler =>
  async (request) => {
    const given = await request.json();
    return withReason(() => run(body.parse(given)));
  };

/** @throws Refusal 400 with the reason that an order is invalid */
export async function withReason(run: () => unknown): Promise<{ status: number; json: unknown }> {
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
