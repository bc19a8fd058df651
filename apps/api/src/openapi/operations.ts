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

/** Every call, by method and path. Shapes: native-api 3 and 4, connect 4. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  'POST /auth/token': {
    id: 'tokens.create',
    tag: 'Tokens',
    summary: 'Exchange a key pair for an access token',
    answer: json(token),
    errors: ['api_error.auth.unauthorized', 'api_error.rate_limit_exceeded'],
  },
  'POST /oauth/token': {
    id: 'tokens.createByOAuth',
    tag: 'Tokens',
    summary: 'Exchange a key pair for an access token by RFC 6749 section 4.4',
    answer: json(token.extend({ scope: z.string() })),
    oauthErrors: true,
  },
  'GET /auth/introspect': {
    id: 'tokens.introspect',
    tag: 'Tokens',
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
  'GET /.well-known/jwks.json': {
    id: 'webhooks.listKeys',
    tag: 'Webhooks',
    summary: 'List the public keys that verify webhooks',
    answer: { kind: 'json', schema: z.object({ keys: z.array(publicKey) }) },
  },
  'GET /webhooks/events': {
    id: 'webhooks.listEvents',
    tag: 'Webhooks',
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
    tag: 'Webhooks',
    summary: 'Get an event with its deliveries and attempts',
    answer: json(webhookEventInFull),
    errors: ['webhook_error.not_found'],
  },
  'POST /webhooks/events/:id/replay': {
    id: 'webhooks.replayEvent',
    tag: 'Webhooks',
    summary: 'Send an event again',
    answer: json(z.object({ event_id: eventId, delivery_token: deliveryToken })),
    errors: ['webhook_error.not_found', 'link_error.bad_config'],
  },
  'POST /webhooks/events/replay': {
    id: 'webhooks.replayEvents',
    tag: 'Webhooks',
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
    tag: 'Webhooks',
    summary: 'Send a test webhook for a Sandbox link',
    answer: json(z.object({ delivery_token: deliveryToken })),
    errors: [
      'link_error.bad_config',
      'link_error.not_found',
      'link_error.unauthorized_access',
      'link_error.deleted',
    ],
  },

  'POST /link-session': {
    id: 'linkSessions.create',
    tag: 'Link sessions',
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
    tag: 'Link sessions',
    summary: 'Exchange the token of a finished session for its link',
    answer: json(z.object({ link_id: linkId, link, customer_user: z.object({ id: z.string() }) })),
    errors: [
      'link_session_error.invalid_token_exchange',
      'link_error.forbidden_action',
      'link_error.not_found',
      'link_error.unauthorized_access',
    ],
  },

  'GET /links': {
    id: 'links.list',
    tag: 'Links',
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
    tag: 'Links',
    summary: 'Import a link from elsewhere; its owner must sign in',
    answer: json(link),
    errors: ['institution_error.not_found', 'link_session_error.forbidden_config'],
  },
  'POST /links/:id/import/transactions': {
    id: 'links.importTransactions',
    tag: 'Links',
    summary: 'Add transactions to an imported link',
    answer: json(link),
    errors: ['link_error.forbidden_action', 'link_error.bad_state'],
  },
  'GET /links/:id': {
    id: 'links.get',
    tag: 'Links',
    summary: 'Get a link; a deleted one for 90 days',
    answer: json(link),
  },
  'PATCH /links/:id': {
    id: 'links.update',
    tag: 'Links',
    summary: 'Change the webhook address and tags of a link',
    answer: json(link),
  },
  'DELETE /links/:id': {
    id: 'links.delete',
    tag: 'Links',
    summary: 'Delete a link',
    answer: { kind: 'nothing' },
  },
  'POST /links/:id/reset': {
    id: 'links.reset',
    tag: 'Links',
    summary: 'Make a Sandbox link require its owner to sign in again',
    answer: json(link),
    errors: ['link_error.forbidden_action', 'link_error.bad_state'],
  },
  'POST /links/:id/products': {
    id: 'links.refreshProducts',
    tag: 'Links',
    summary: 'Request a refresh; link.product_refresh announces its result',
    answer: json(link),
    errors: ['link_error.forbidden_action', 'link_error.bad_state'],
  },

  'GET /links/:id/accounts': {
    id: 'accounts.list',
    tag: 'Product data',
    summary: 'List the open accounts that the user permitted',
    answer: json(z.object({ accounts: z.array(account), link })),
  },
  'GET /links/:id/accounts/:account_id': {
    id: 'accounts.get',
    tag: 'Product data',
    summary: 'Get an account, even a closed one',
    answer: json(z.object({ account, link })),
  },
  'GET /links/:id/accounts/numbers': {
    id: 'accounts.listNumbers',
    tag: 'Product data',
    summary: 'List the account numbers, for accounts that have some',
    answer: json(z.object({ accounts: z.array(accountWithNumbers), link })),
  },
  'GET /links/:id/identity': {
    id: 'identity.get',
    tag: 'Product data',
    summary: 'List the owners of the accounts',
    answer: json(z.object({ accounts: z.array(accountWithOwners), link })),
  },
  'GET /links/:id/transactions': {
    id: 'transactions.list',
    tag: 'Product data',
    summary: 'List the current transactions, newest first',
    answer: json(z.object({ ...page, accounts: z.array(account), link })),
  },
  'GET /links/:id/transactions/sync': {
    id: 'transactions.sync',
    tag: 'Product data',
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

  'GET /institutions': {
    id: 'institutions.list',
    tag: 'Institutions',
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
    tag: 'Institutions',
    summary: 'Get an institution by its id or an alias',
    answer: json(institution),
    errors: ['institution_error.not_found'],
  },
  'GET /institutions/:institution_id/avatar.svg': {
    id: 'institutions.getAvatar',
    tag: 'Institutions',
    summary: 'Get a neutral picture of an institution',
    answer: { kind: 'media', type: 'image/svg+xml' },
    errors: ['institution_error.not_found'],
  },

  'GET /users/:id/accounts': {
    id: 'users.listAccounts',
    tag: 'Users',
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
    tag: 'Users',
    summary: 'List the links of a user',
    answer: json(z.object({ links: z.record(linkId, link), next_cursor: nextCursor })),
  },
  'GET /users/:id/transactions': {
    id: 'users.listTransactions',
    tag: 'Users',
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
    tag: 'Users',
    summary: 'Export everything stored about a user, as a stream',
    answer: json(userExport),
  },
  'DELETE /users/:id': {
    id: 'users.erase',
    tag: 'Users',
    summary: 'Erase everything stored about a user',
    answer: { kind: 'nothing' },
  },

  'POST /sandbox/link': {
    id: 'sandbox.createLink',
    tag: 'Sandbox',
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
    tag: 'Sandbox',
    summary: 'Write transactions at the sandbox bank',
    answer: json(scriptOutcome),
    errors: ['link_error.forbidden_action', 'link_error.bad_state', 'sandbox_error.script_failed'],
  },
  'POST /sandbox/links/:id/expire-auth': {
    id: 'sandbox.expireAuth',
    tag: 'Sandbox',
    summary: 'End the permission at the bank',
    answer: json(link),
    errors: ['link_error.forbidden_action', 'link_error.bad_state'],
  },
  'POST /sandbox/institutions/:institution_id/faults': {
    id: 'sandbox.createFault',
    tag: 'Sandbox',
    summary: 'Create a fault at an institution',
    answer: json(fault),
    errors: ['institution_error.not_found', 'sandbox_error.not_found'],
  },
  'GET /sandbox/institutions/:institution_id/faults': {
    id: 'sandbox.listFaults',
    tag: 'Sandbox',
    summary: 'List the faults that are not used up',
    answer: json(z.object({ faults: z.array(fault) })),
    errors: ['institution_error.not_found'],
  },
  'DELETE /sandbox/faults/:fault_id': {
    id: 'sandbox.deleteFault',
    tag: 'Sandbox',
    summary: 'Delete a fault',
    answer: { kind: 'nothing' },
    errors: ['sandbox_error.not_found'],
  },
  'POST /sandbox/worlds': {
    id: 'sandbox.createWorld',
    tag: 'Sandbox',
    summary: 'Create a world with a clock of its own',
    answer: json(world),
  },
  'GET /sandbox/worlds': {
    id: 'sandbox.listWorlds',
    tag: 'Sandbox',
    summary: 'List the worlds of this app',
    answer: json(z.object({ worlds: z.array(world) })),
  },
  'GET /sandbox/worlds/:world_id': {
    id: 'sandbox.getWorld',
    tag: 'Sandbox',
    summary: 'Get a world',
    answer: json(world),
    errors: ['sandbox_error.not_found'],
  },
  'POST /sandbox/worlds/:world_id/advance': {
    id: 'sandbox.advanceWorld',
    tag: 'Sandbox',
    summary: 'Move the clock of a world and run what is due',
    answer: json(advance),
    errors: ['sandbox_error.not_found'],
  },
  'DELETE /sandbox/worlds/:world_id': {
    id: 'sandbox.deleteWorld',
    tag: 'Sandbox',
    summary: 'Erase a world and all its links',
    answer: { kind: 'nothing' },
    errors: ['sandbox_error.not_found'],
  },

  'POST /connect/api/session/open': {
    id: 'connect.openSession',
    tag: 'Connect',
    summary: 'Open a session, or take it over in another window',
    answer: json(openedView),
  },
  'GET /connect/api/session': {
    id: 'connect.getSession',
    tag: 'Connect',
    summary: 'Get the current view of the session, or wait for a change',
    answer: json(view),
  },
  'POST /connect/api/session/step': {
    id: 'connect.submitStep',
    tag: 'Connect',
    summary: 'Submit the input of a step',
    answer: json(view),
  },
  'POST /connect/api/session/extend': {
    id: 'connect.extendSession',
    tag: 'Connect',
    summary: 'Extend the idle limit of the session',
    answer: json(view),
  },
  'POST /connect/api/session/finish': {
    id: 'connect.finishSession',
    tag: 'Connect',
    summary: 'Get the result of a finished session',
    answer: json(sessionResult),
  },
  'POST /connect/api/session/exit': {
    id: 'connect.exitSession',
    tag: 'Connect',
    summary: 'End the linking attempt',
    answer: json(exitResult),
  },
  'GET /connect/api/institutions': {
    id: 'connect.searchInstitutions',
    tag: 'Connect',
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
    tag: 'Connect',
    summary: "Start a redirect to the bank's own pages",
    answer: json(
      z.object({ authorize_url: z.string(), state_hash: z.string(), expires_at: timestamp, view }),
    ),
  },
  'POST /connect/api/session/oauth/return': {
    id: 'connect.completeOAuth',
    tag: 'Connect',
    summary: 'Complete a redirect with the address that the user returned to',
    answer: json(view),
  },
  'POST /connect/api/session/resume': {
    id: 'connect.resumeSession',
    tag: 'Connect',
    summary: 'Resume the session in a window that has only the return address',
    answer: json(openedView),
  },
  'GET /connect/oauth/callback': {
    id: 'connect.receiveOAuthCallback',
    tag: 'Connect',
    summary: 'Receive the browser of the user from a bank',
    answer: { kind: 'browser' },
  },

  'GET /provider-keys/:configuration': {
    id: 'providers.listKeys',
    tag: 'Operator',
    summary: 'List the public client keys of a configuration, for its source',
    answer: { kind: 'json', schema: z.object({ keys: z.array(publishedKey) }) },
    errors: ['api_error.request.not_found'],
  },
  'GET /health/live': {
    id: 'service.isLive',
    tag: 'Operator',
    summary: 'Check that the process is up',
    answer: json(z.object({ status: z.literal('live') })),
  },
  'GET /health/ready': {
    id: 'service.isReady',
    tag: 'Operator',
    summary: 'Check that the parts the process needs are available',
    answer: json(health),
    otherAnswers: { 503: health },
  },
  'GET /openapi.json': {
    id: 'service.getDocument',
    tag: 'Operator',
    summary: 'Get this document',
    answer: json(z.looseObject({ openapi: z.string() })),
  },
  'GET /docs': {
    id: 'service.showReference',
    tag: 'Operator',
    summary: 'Show this document as a page',
    answer: { kind: 'media', type: 'text/html' },
  },
  'GET /compatibility/plaid': {
    id: 'service.showPlaidOverview',
    tag: 'Operator',
    summary: 'Show what the Plaid-compatible layer offers and how it differs from Plaid',
    answer: { kind: 'media', type: 'text/html' },
  },
};
