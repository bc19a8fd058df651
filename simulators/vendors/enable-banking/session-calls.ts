import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Ledger } from '../ledger/ledger.js';
import type { Bank } from '../ledger/ledger.types.js';
import { accountResource, identificationHash, identificationHashes } from './account-resource.js';
import type { ApiCalls } from './applications.js';
import { aspspsOf, factsOf } from './aspsps.js';
import { refusal } from './errors.js';
import type { Session, Sessions } from './sessions.js';

const authBody = z.object({
  access: z.object({ valid_until: z.iso.datetime({ offset: true }) }),
  aspsp: z.object({ name: z.string(), country: z.string() }),
  state: z.string().min(1),
  redirect_url: z.url(),
  psu_type: z.enum(['personal', 'business']).default('personal'),
  psu_id: z.string().optional(),
});
const sessionBody = z.object({ code: z.string() });

/** The calls of the group "User sessions". @param url the address of the page for customers */
export function sessionCalls(ledger: Ledger, sessions: Sessions, url: string): ApiCalls {
  return {
    async 'POST /auth'(request, application) {
      const asked = parse(authBody, await request.json());
      if (!application.redirectUrls.includes(asked.redirect_url)) {
        throw refusal('REDIRECT_URI_NOT_ALLOWED');
      }
      const bank = aspspsOf(ledger, asked.aspsp.country).find(
        ({ name }) => name === asked.aspsp.name,
      );
      if (bank === undefined) throw refusal('WRONG_ASPSP_PROVIDED');
      if (asked.psu_type !== 'personal') {
        throw refusal('WRONG_REQUEST_PARAMETERS', 'psu_type is not supported by the ASPSP');
      }
      checkValidUntil(asked.access.valid_until, bank, ledger.now());
      if (bank.isDown) throw refusal('ASPSP_ERROR');
      const psuIdHash = createHash('sha256')
        .update(`${application.id}/${asked.psu_id ?? randomUUID()}`)
        .digest('hex');
      const { id } = sessions.start({
        applicationId: application.id,
        bankId: bank.id,
        validUntil: asked.access.valid_until,
        state: asked.state,
        redirectUrl: asked.redirect_url,
        psuType: asked.psu_type,
        psuIdHash,
      });
      return {
        status: 200,
        json: {
          url: `${url}/enable-banking/authorize?sessionid=${id}`,
          authorization_id: id,
          psu_id_hash: psuIdHash,
        },
      };
    },

    async 'POST /sessions'(request, application) {
      const { code } = parse(sessionBody, await request.json());
      const session = sessions.authorize(code, application.id);
      const bank = ledger.bank(session.authorization.bankId);
      const accounts = [...session.accounts].map(([uid, id]) =>
        accountResource(uid, ledger.account(id), bank, ledger.customer(session.customerId)),
      );
      return {
        status: 200,
        json: { session_id: session.id, accounts, ...commonView(session, bank) },
      };
    },

    'GET /sessions/{id}'(request, application) {
      const session = sessions.find(request.param('id'), application.id);
      const bank = ledger.bank(session.authorization.bankId);
      const accounts = [...session.accounts].map(([uid, id]) => ({
        uid,
        identification_hash: identificationHash(ledger.account(id)),
        identification_hashes: identificationHashes(ledger.account(id), bank),
      }));
      return {
        status: 200,
        json: {
          status: sessions.statusOf(session),
          accounts: accounts.map(({ uid }) => uid),
          accounts_data: accounts,
          ...commonView(session, bank),
          psu_id_hash: session.authorization.psuIdHash,
          created: session.createdAt.toISOString(),
          authorized: session.createdAt.toISOString(),
          closed: session.closedAt?.toISOString() ?? null,
        },
      };
    },

    'DELETE /sessions/{id}'(request, application) {
      const session = sessions.find(request.param('id'), application.id);
      sessions.requireAuthorized(session);
      sessions.close(session);
      return { status: 200, json: { message: 'OK' } };
    },
  };
}

/** At the bound itself a request is refused, too. */
function checkValidUntil(validUntil: string, bank: Bank, now: Date): void {
  const until = Date.parse(validUntil);
  const bound = now.getTime() + factsOf(bank).maximumConsentValidity * 1_000;
  if (until >= bound || until <= now.getTime()) {
    throw refusal('WRONG_REQUEST_PARAMETERS', 'access.valid_until is out of bounds');
  }
}

const commonView = ({ authorization }: Session, bank: Bank) => ({
  aspsp: { name: bank.name, country: bank.country },
  psu_type: authorization.psuType,
  access: {
    accounts: null,
    balances: true,
    transactions: true,
    valid_until: authorization.validUntil,
  },
});

function parse<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const { success, data, error } = schema.safeParse(body);
  if (!success) throw refusal('WRONG_REQUEST_PARAMETERS', z.prettifyError(error));
  return data;
}
