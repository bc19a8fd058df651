import { z } from 'zod';
import { SCOPES } from '../../../../domain/api/scopes.js';
import { account, accountWithNumbers, accountWithOwners } from './models/account.model.js';
import {
  connectInstitution,
  exitResult,
  openedView,
  sessionResult,
  view,
} from './models/connect.model.js';
import { institution } from './models/institution.model.js';
import { link } from './models/link.model.js';
import { advance, fault, sandboxLink, scriptOutcome, world } from './models/sandbox.model.js';
import { transaction } from './models/transaction.model.js';
import { userExport } from './models/user-export.model.js';
import {
  accountId,
  deliveryToken,
  eventId,
  linkId,
  timestamp,
  transactionId,
} from './models/values.model.js';
import { webhookEvent, webhookEventInFull } from './models/webhook-event.model.js';
import { json, type Operation } from './operation.js';

const token = z.object({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  expires_in: z.int().describe('Seconds.'),
});
const health = z.object({
  status: z.enum(['ready', 'degraded', 'unavailable']),
  parts: z.record(z.string(), z.enum(['up', 'down'])),
});
const userErasure = z.object({
  unrevoked_permissions: z
    .array(z.object({ link_id: linkId, institution_id: z.string(), provider: z.string() }))
    .describe('Permissions that their sources offer no way to end: the user must end them there.'),
});
const page = {
  total: z.int(),
  page: z.int(),
  size: z.int().describe('Rows in this batch.'),
  transactions: z.array(transaction),
};
const nextCursor = z.string().describe('Empty on the last page.');
const publicKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  kid: z.string(),
  use: z.literal('sig'),
  alg: z.literal('ES256'),
});

const publishedKey = z
  .looseObject({ kty: z.string(), kid: z.string().optional() })
  .describe('A JWK (RFC 7517) without private members.');

/** Every call, by tag and then by method and path. Shapes: native-api 3 and 4, connect 4. */
const BY_TAG: Readonly<Record<string, Readonly<Record<string, Omit<Operation, 'tag'>>>>> = {
  Tokens: {
    'POST /auth/token': {
      id: 'tokens.create',
      summary: 'Exchange a key pair for an access token',
      answer: json(token),
      errors: ['api_error.auth.unauthorized', 'api_error.rate_limit_exceeded'],
    },
    'POST /oauth/token': {
      id: 'tokens.createByOAuth',
      summary: 'Exchange a key pair for an access token by RFC 6749 section 4.4',
      answer: json(token.extend({ scope: z.string() })),
      oauthErrors: true,
    },
    'GET /auth/introspect': {
      id: 'tokens.introspect',
      summary: 'Show the client, app and scopes of an access token',
      answer: json(
        z.object({
          client_id: z.string(),
          client_name: z.string(),
          scope: z.string().describe(`Space-separated, of: ${SCOPES.join(', ')}.`),
          environment: z.enum(['sandbox', 'live']),
          app: z.object({
            app_id: z.string(),
            name: z.string(),
            id: z.string(),
            app_name: z.string(),
          }),
          disabled_at: timestamp.nullable(),
        }),
      ),
    },
  },
  Webhooks: {
    'GET /.well-known/jwks.json': {
      id: 'webhooks.listKeys',
      summary: 'List the public keys that verify webhooks',
      answer: { kind: 'json', schema: z.object({ keys: z.array(publicKey) }) },
    },
    'GET /webhooks/events': {
      id: 'webhooks.listEvents',
      summary: 'List the event log; in ascending order its cursor never expires',
      answer: json(
        z.object({
          events: z.array(webhookEvent),
          cursor: z.object({ next: z.string() }),
          has_more: z.boolean(),
        }),
      ),
    },
    'GET /webhooks/events/:id': {
      id: 'webhooks.getEvent',
      summary: 'Get an event with its deliveries and attempts',
      answer: json(webhookEventInFull),
      errors: ['webhook_error.not_found'],
    },
    'POST /webhooks/events/:id/replay': {
      id: 'webhooks.replayEvent',
      summary: 'Send an event again',
      answer: json(z.object({ event_id: eventId, delivery_token: deliveryToken })),
      errors: ['webhook_error.not_found', 'link_error.bad_config'],
    },
    'POST /webhooks/events/replay': {
      id: 'webhooks.replayEvents',
      summary: 'Send the events of a time range again',
      answer: json(
        z.object({
          matched: z.int().describe('Matching events, regardless of `limit`.'),
          replayed: z.int().describe('Deliveries created.'),
          skipped: z.int().describe('Of `matched`, the events without a usable address.'),
          dry_run: z.boolean(),
        }),
      ),
    },
    'POST /webhooks/test/link/:id': {
      id: 'webhooks.sendTestEvent',
      summary: 'Send a test webhook for a Sandbox link',
      answer: json(z.object({ delivery_token: deliveryToken })),
      errors: [
        'link_error.bad_config',
        'link_error.not_found',
        'link_error.unauthorized_access',
        'link_error.deleted',
      ],
    },
  },
  'Link sessions': {
    'POST /link-session': {
      id: 'linkSessions.create',
      summary: 'Create a session in which an end user links accounts',
      answer: json(z.object({ link_session_token: z.string(), expires_at: timestamp })),
      errors: [
        'link_session_error.forbidden_config',
        'link_error.not_found',
        'link_error.deleted',
        'link_error.unauthorized_access',
        'link_error.bad_state',
        'sandbox_error.not_found',
      ],
    },
    'POST /link-session/exchange-token': {
      id: 'linkSessions.exchangeToken',
      summary: 'Exchange the token of a finished session for its link',
      answer: json(
        z.object({ link_id: linkId, link, customer_user: z.object({ id: z.string() }) }),
      ),
      errors: [
        'link_session_error.invalid_token_exchange',
        'link_error.forbidden_action',
        'link_error.not_found',
        'link_error.unauthorized_access',
        'link_session_error.forbidden_config',
      ],
    },
  },
  Links: {
    'GET /links': {
      id: 'links.list',
      summary: 'List links that were imported or connected at least once, oldest first',
      answer: json(
        z.object({
          links: z.array(z.object({ link_id: linkId, created_at: timestamp })),
          next_cursor: nextCursor,
        }),
      ),
    },
    'POST /links/import': {
      id: 'links.import',
      summary: 'Import a link from elsewhere; its owner must sign in',
      answer: json(link),
      errors: ['institution_error.not_found', 'link_session_error.forbidden_config'],
    },
    'POST /links/:id/import/transactions': {
      id: 'links.importTransactions',
      summary: 'Add transactions to an imported link',
      answer: json(link),
      errors: ['link_error.forbidden_action', 'link_error.bad_state'],
    },
    'GET /links/:id': {
      id: 'links.get',
      summary: 'Get a link; a deleted one for 90 days',
      answer: json(link),
    },
    'PATCH /links/:id': {
      id: 'links.update',
      summary: 'Change the webhook address and tags of a link',
      answer: json(link),
    },
    'DELETE /links/:id': {
      id: 'links.delete',
      summary: 'Delete a link',
      answer: { kind: 'nothing' },
    },
    'POST /links/:id/reset': {
      id: 'links.reset',
      summary: 'Make a Sandbox link require its owner to sign in again',
      answer: json(link),
      errors: ['link_error.forbidden_action', 'link_error.bad_state'],
    },
    'POST /links/:id/products': {
      id: 'links.refreshProducts',
      summary: 'Request a refresh; link.product_refresh announces its result',
      answer: json(link),
      errors: ['link_error.forbidden_action', 'link_error.bad_state'],
    },
  },
  'Product data': {
    'GET /links/:id/accounts': {
      id: 'accounts.list',
      summary: 'List the open accounts that the user permitted',
      answer: json(z.object({ accounts: z.array(account), link })),
    },
    'GET /links/:id/accounts/:account_id': {
      id: 'accounts.get',
      summary: 'Get an account, even a closed one',
      answer: json(z.object({ account, link })),
    },
    'GET /links/:id/accounts/numbers': {
      id: 'accounts.listNumbers',
      summary: 'List the account numbers, for accounts that have some',
      answer: json(z.object({ accounts: z.array(accountWithNumbers), link })),
    },
    'GET /links/:id/identity': {
      id: 'identity.get',
      summary: 'List the owners of the accounts',
      answer: json(z.object({ accounts: z.array(accountWithOwners), link })),
    },
    'GET /links/:id/transactions': {
      id: 'transactions.list',
      summary: 'List the current transactions, newest first',
      answer: json(z.object({ ...page, accounts: z.array(account), link })),
    },
    'GET /links/:id/transactions/sync': {
      id: 'transactions.sync',
      summary: 'Get the changes since a cursor',
      answer: {
        kind: 'json',
        cacheable: true,
        schema: z.object({
          transactions: z.object({
            created: z.array(transaction),
            updated: z.array(transaction),
            removed: z.array(transactionId),
          }),
          cursor: z.object({ next: z.string() }),
          has_more: z.boolean(),
          accounts: z.array(account),
          link,
        }),
      },
    },
  },
  Institutions: {
    'GET /institutions': {
      id: 'institutions.list',
      summary: 'List the institutions of this environment',
      answer: json(
        z.object({
          institutions: z.array(institution),
          cursors: z.object({ next: z.string().nullable() }),
        }),
      ),
    },
    'GET /institutions/:institution_id': {
      id: 'institutions.get',
      summary: 'Get an institution by its id or an alias',
      answer: json(institution),
      errors: ['institution_error.not_found'],
    },
    'GET /institutions/:institution_id/avatar.svg': {
      id: 'institutions.getAvatar',
      summary: 'Get a neutral picture of an institution',
      answer: { kind: 'media', type: 'image/svg+xml' },
      errors: ['institution_error.not_found'],
    },
  },
  Users: {
    'GET /users/:id/accounts': {
      id: 'users.listAccounts',
      summary: 'List the accounts of a user, by link',
      answer: json(
        z.object({
          links: z.record(
            linkId,
            z.object({ accounts: z.array(account), last_synced_at: timestamp.nullable() }),
          ),
          next_cursor: nextCursor,
        }),
      ),
    },
    'GET /users/:id/links': {
      id: 'users.listLinks',
      summary: 'List the links of a user',
      answer: json(z.object({ links: z.record(linkId, link), next_cursor: nextCursor })),
    },
    'GET /users/:id/transactions': {
      id: 'users.listTransactions',
      summary: 'List the transactions of all links of a user, newest first',
      answer: json(
        z.object({
          ...page,
          accounts: z.record(
            accountId,
            z.object({
              name: z.string(),
              last_synced_at: timestamp.nullable(),
              institution_id: z.string(),
              link_id: linkId,
            }),
          ),
        }),
      ),
    },
    'GET /users/:id/export': {
      id: 'users.export',
      summary: 'Export everything stored about a user, as a stream',
      answer: json(userExport),
    },
    'DELETE /users/:id': {
      id: 'users.erase',
      summary: 'Erase everything stored about a user',
      answer: json(userErasure),
    },
  },
  Sandbox: {
    'POST /sandbox/link': {
      id: 'sandbox.createLink',
      summary: 'Create a link without a user interface',
      answer: json(sandboxLink),
      errors: [
        'institution_error.not_found',
        'sandbox_error.not_found',
        'link_error.bad_state',
        'link_error.not_found',
        'link_error.unauthorized_access',
      ],
    },
    'POST /sandbox/links/:id/transactions': {
      id: 'sandbox.runScript',
      summary: 'Write transactions at the sandbox bank',
      answer: json(scriptOutcome),
      errors: [
        'link_error.forbidden_action',
        'link_error.bad_state',
        'sandbox_error.script_failed',
      ],
    },
    'POST /sandbox/links/:id/expire-auth': {
      id: 'sandbox.expireAuth',
      summary: 'End the permission at the bank',
      answer: json(link),
      errors: ['link_error.forbidden_action', 'link_error.bad_state'],
    },
    'POST /sandbox/institutions/:institution_id/faults': {
      id: 'sandbox.createFault',
      summary: 'Create a fault at an institution',
      answer: json(fault),
      errors: ['institution_error.not_found', 'sandbox_error.not_found'],
    },
    'GET /sandbox/institutions/:institution_id/faults': {
      id: 'sandbox.listFaults',
      summary: 'List the faults that are not used up',
      answer: json(z.object({ faults: z.array(fault) })),
      errors: ['institution_error.not_found'],
    },
    'DELETE /sandbox/faults/:fault_id': {
      id: 'sandbox.deleteFault',
      summary: 'Delete a fault',
      answer: { kind: 'nothing' },
      errors: ['sandbox_error.not_found'],
    },
    'POST /sandbox/worlds': {
      id: 'sandbox.createWorld',
      summary: 'Create a world with a clock of its own',
      answer: json(world),
    },
    'GET /sandbox/worlds': {
      id: 'sandbox.listWorlds',
      summary: 'List the worlds of this app',
      answer: json(z.object({ worlds: z.array(world) })),
    },
    'GET /sandbox/worlds/:world_id': {
      id: 'sandbox.getWorld',
      summary: 'Get a world',
      answer: json(world),
      errors: ['sandbox_error.not_found'],
    },
    'POST /sandbox/worlds/:world_id/advance': {
      id: 'sandbox.advanceWorld',
      summary: 'Move the clock of a world and run what is due',
      answer: json(advance),
      errors: ['sandbox_error.not_found'],
    },
    'DELETE /sandbox/worlds/:world_id': {
      id: 'sandbox.deleteWorld',
      summary: 'Erase a world and all its links',
      answer: { kind: 'nothing' },
      errors: ['sandbox_error.not_found'],
    },
  },
  Connect: {
    'POST /connect/api/session/open': {
      id: 'connect.openSession',
      summary: 'Open a session, or take it over in another window',
      answer: json(openedView),
    },
    'GET /connect/api/session': {
      id: 'connect.getSession',
      summary: 'Get the current view of the session, or wait for a change',
      answer: json(view),
    },
    'POST /connect/api/session/step': {
      id: 'connect.submitStep',
      summary: 'Submit the input of a step',
      answer: json(view),
    },
    'POST /connect/api/session/extend': {
      id: 'connect.extendSession',
      summary: 'Extend the idle limit of the session',
      answer: json(view),
    },
    'POST /connect/api/session/finish': {
      id: 'connect.finishSession',
      summary: 'Get the result of a finished session',
      answer: json(sessionResult),
    },
    'POST /connect/api/session/exit': {
      id: 'connect.exitSession',
      summary: 'End the linking attempt',
      answer: json(exitResult),
    },
    'GET /connect/api/institutions': {
      id: 'connect.searchInstitutions',
      summary: 'Search the institutions of the session',
      answer: json(
        z.object({
          institutions: z.array(connectInstitution),
          cursor: z.object({ next: z.string().nullable() }),
        }),
      ),
    },
    'POST /connect/api/session/oauth/start': {
      id: 'connect.startOAuth',
      summary: "Start a redirect to the bank's own pages",
      answer: json(
        z.object({
          authorize_url: z.string(),
          state_hash: z.string(),
          expires_at: timestamp,
          view,
        }),
      ),
    },
    'POST /connect/api/session/oauth/return': {
      id: 'connect.completeOAuth',
      summary: 'Complete a redirect with the address that the user returned to',
      answer: json(view),
    },
    'POST /connect/api/session/resume': {
      id: 'connect.resumeSession',
      summary: 'Resume the session in a window that has only the return address',
      answer: json(openedView),
    },
    'GET /connect/oauth/callback': {
      id: 'connect.receiveOAuthCallback',
      summary: 'Receive the browser of the user from a bank',
      answer: { kind: 'browser' },
    },
  },
  Operator: {
    'GET /provider-keys/:configuration': {
      id: 'providers.listKeys',
      summary: 'List the public client keys of a configuration, for its source',
      answer: { kind: 'json', schema: z.object({ keys: z.array(publishedKey) }) },
      errors: ['api_error.request.not_found'],
    },
    'POST /provider-webhooks/:configuration/:key': {
      id: 'providers.receiveWebhook',
      summary: 'Receive a webhook of the source of a configuration',
      answer: { kind: 'nothing' },
      errors: ['api_error.request.not_found', 'api_error.rate_limit_exceeded'],
    },
    'GET /health/live': {
      id: 'service.isLive',
      summary: 'Check that the process is up',
      answer: json(z.object({ status: z.literal('live') })),
    },
    'GET /health/ready': {
      id: 'service.isReady',
      summary: 'Check that the parts the process needs are available',
      answer: json(health),
      otherAnswers: { 503: health },
    },
    'GET /openapi.json': {
      id: 'service.getDocument',
      summary: 'Get this document',
      answer: { kind: 'json', schema: z.looseObject({ openapi: z.string() }), cacheable: true },
    },
    'GET /docs': {
      id: 'service.showReference',
      summary: 'Show this document as a page',
      answer: { kind: 'media', type: 'text/html', cacheable: true },
    },
    'GET /compatibility/plaid': {
      id: 'service.showPlaidOverview',
      summary: 'Show what the Plaid-compatible layer offers and how it differs from Plaid',
      answer: { kind: 'media', type: 'text/html', cacheable: true },
    },
  },
};

export const OPERATIONS: Readonly<Record<string, Operation>> = Object.fromEntries(
  Object.entries(BY_TAG).flatMap(([tag, operations]) =>
    Object.entries(operations).map(([call, operation]) => [call, { ...operation, tag }]),
  ),
);
