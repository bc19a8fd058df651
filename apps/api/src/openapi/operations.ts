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
    summary: 'The same, strictly by RFC 6749 section 4.4',
    answer: json(token.extend({ scope: z.string() })),
    oauthErrors: true,
  },
  'GET /auth/introspect': {
    id: 'tokens.introspect',
    tag: 'Tokens',
    summary: 'Whose token it is, and what it allows',
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
    summary: 'The keys that webhooks are signed with',
    answer: { kind: 'json', schema: z.object({ keys: z.array(publicKey) }) },
  },
  'GET /webhooks/events': {
    id: 'webhooks.listEvents',
    tag: 'Webhooks',
    summary: 'The event log; upwards its cursor can be used for ever',
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
    summary: 'One event with its deliveries and attempts',
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
    summary: 'Send the events of a time again',
    answer: json(
      z.object({
        matched: z.int().describe('Events that fit, whatever `limit` is.'),
        replayed: z.int().describe('Deliveries made.'),
        skipped: z.int().describe('Of `matched`, those without a usable address.'),
        dry_run: z.boolean(),
      }),
    ),
  },
  'POST /webhooks/test/link/:id': {
    id: 'webhooks.sendTestEvent',
    tag: 'Webhooks',
    summary: 'Trigger a webhook for a Sandbox link',
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
    summary: 'Make a session in which an end user links accounts',
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
    summary: 'Links that were connected at least once or imported, oldest first',
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
    summary: 'Take over a link from elsewhere; its owner has to sign in',
    answer: json(link),
    errors: ['institution_error.not_found', 'link_session_error.forbidden_config'],
  },
  'POST /links/:id/import/transactions': {
    id: 'links.importTransactions',
    tag: 'Links',
    summary: 'More rows for an imported link',
    answer: json(link),
    errors: ['link_error.forbidden_action', 'link_error.bad_state'],
  },
  'GET /links/:id': {
    id: 'links.get',
    tag: 'Links',
    summary: 'One link; a deleted one for 90 days',
    answer: json(link),
  },
  'PATCH /links/:id': {
    id: 'links.update',
    tag: 'Links',
    summary: 'Change webhook address and tags',
    answer: json(link),
  },
  'DELETE /links/:id': {
    id: 'links.delete',
    tag: 'Links',
    summary: 'Disconnect a link',
    answer: { kind: 'nothing' },
  },
  'POST /links/:id/reset': {
    id: 'links.reset',
    tag: 'Links',
    summary: 'Force a Sandbox link to need its owner again',
    answer: json(link),
    errors: ['link_error.forbidden_action', 'link_error.bad_state'],
  },
  'POST /links/:id/products': {
    id: 'links.refreshProducts',
    tag: 'Links',
    summary: 'Ask for a fresh fetch; the result is announced by link.product_refresh',
    answer: json(link),
    errors: ['link_error.forbidden_action', 'link_error.bad_state'],
  },

  'GET /links/:id/accounts': {
    id: 'accounts.list',
    tag: 'Product data',
    summary: 'Open accounts the user permitted',
    answer: json(z.object({ accounts: z.array(account), link })),
  },
  'GET /links/:id/accounts/:account_id': {
    id: 'accounts.get',
    tag: 'Product data',
    summary: 'One account, also a closed one',
    answer: json(z.object({ account, link })),
  },
  'GET /links/:id/accounts/numbers': {
    id: 'accounts.listNumbers',
    tag: 'Product data',
    summary: 'How money reaches the accounts; only those that have numbers',
    answer: json(z.object({ accounts: z.array(accountWithNumbers), link })),
  },
  'GET /links/:id/identity': {
    id: 'identity.get',
    tag: 'Product data',
    summary: 'Who owns the accounts',
    answer: json(z.object({ accounts: z.array(accountWithOwners), link })),
  },
  'GET /links/:id/transactions': {
    id: 'transactions.list',
    tag: 'Product data',
    summary: 'Transactions as they are now, newest first',
    answer: json(z.object({ ...page, accounts: z.array(account), link })),
  },
  'GET /links/:id/transactions/sync': {
    id: 'transactions.sync',
    tag: 'Product data',
    summary: 'What changed since a cursor',
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
    summary: 'Institutions of this environment',
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
    summary: 'One institution, by its id or an alias',
    answer: json(institution),
    errors: ['institution_error.not_found'],
  },
  'GET /institutions/:institution_id/avatar.svg': {
    id: 'institutions.getAvatar',
    tag: 'Institutions',
    summary: 'A neutral picture of an institution',
    answer: { kind: 'media', type: 'image/svg+xml' },
    errors: ['institution_error.not_found'],
  },

  'GET /users/:id/accounts': {
    id: 'users.listAccounts',
    tag: 'Users',
    summary: 'Accounts of a user, by link',
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
    summary: 'Links of a user',
    answer: json(z.object({ links: z.record(linkId, link), next_cursor: nextCursor })),
  },
  'GET /users/:id/transactions': {
    id: 'users.listTransactions',
    tag: 'Users',
    summary: 'Transactions of all links of a user, newest first',
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
    summary: 'Everything stored of a user, as it is streamed',
    answer: json(userExport),
  },
  'DELETE /users/:id': {
    id: 'users.erase',
    tag: 'Users',
    summary: 'Erase everything stored of a user',
    answer: { kind: 'nothing' },
  },

  'POST /sandbox/link': {
    id: 'sandbox.createLink',
    tag: 'Sandbox',
    summary: 'A link without a user interface',
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
    summary: 'Write rows at the pretend bank',
    answer: json(scriptOutcome),
    errors: ['link_error.forbidden_action', 'link_error.bad_state', 'sandbox_error.script_failed'],
  },
  'POST /sandbox/links/:id/expire-auth': {
    id: 'sandbox.expireAuth',
    tag: 'Sandbox',
    summary: "End the bank's permission",
    answer: json(link),
    errors: ['link_error.forbidden_action', 'link_error.bad_state'],
  },
  'POST /sandbox/institutions/:institution_id/faults': {
    id: 'sandbox.createFault',
    tag: 'Sandbox',
    summary: 'Make something go wrong at an institution',
    answer: json(fault),
    errors: ['institution_error.not_found', 'sandbox_error.not_found'],
  },
  'GET /sandbox/institutions/:institution_id/faults': {
    id: 'sandbox.listFaults',
    tag: 'Sandbox',
    summary: 'Faults that are not used up',
    answer: json(z.object({ faults: z.array(fault) })),
    errors: ['institution_error.not_found'],
  },
  'DELETE /sandbox/faults/:fault_id': {
    id: 'sandbox.deleteFault',
    tag: 'Sandbox',
    summary: 'Lift a fault',
    answer: { kind: 'nothing' },
    errors: ['sandbox_error.not_found'],
  },
  'POST /sandbox/worlds': {
    id: 'sandbox.createWorld',
    tag: 'Sandbox',
    summary: 'Make a world with a clock of its own',
    answer: json(world),
  },
  'GET /sandbox/worlds': {
    id: 'sandbox.listWorlds',
    tag: 'Sandbox',
    summary: 'Worlds of this app',
    answer: json(z.object({ worlds: z.array(world) })),
  },
  'GET /sandbox/worlds/:world_id': {
    id: 'sandbox.getWorld',
    tag: 'Sandbox',
    summary: 'One world',
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
    summary: 'A window takes the session',
    answer: json(openedView),
  },
  'GET /connect/api/session': {
    id: 'connect.getSession',
    tag: 'Connect',
    summary: 'What the session shows; waits for a change',
    answer: json(view),
  },
  'POST /connect/api/session/step': {
    id: 'connect.submitStep',
    tag: 'Connect',
    summary: 'Answer a step',
    answer: json(view),
  },
  'POST /connect/api/session/extend': {
    id: 'connect.extendSession',
    tag: 'Connect',
    summary: 'The user is still there',
    answer: json(view),
  },
  'POST /connect/api/session/finish': {
    id: 'connect.finishSession',
    tag: 'Connect',
    summary: 'The result of a finished session',
    answer: json(sessionResult),
  },
  'POST /connect/api/session/exit': {
    id: 'connect.exitSession',
    tag: 'Connect',
    summary: 'End the attempt',
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
    summary: "Set out for the bank's own pages",
    answer: json(
      z.object({ authorize_url: z.string(), state_hash: z.string(), expires_at: timestamp, view }),
    ),
  },
  'POST /connect/api/session/oauth/return': {
    id: 'connect.completeOAuth',
    tag: 'Connect',
    summary: 'Hand over the address the user came back to',
    answer: json(view),
  },
  'POST /connect/api/session/resume': {
    id: 'connect.resumeSession',
    tag: 'Connect',
    summary: 'Go on in a window that knows only that address',
    answer: json(openedView),
  },
  'GET /connect/oauth/callback': {
    id: 'connect.receiveOAuthCallback',
    tag: 'Connect',
    summary: 'Where banks send the browser of the user back to',
    answer: { kind: 'browser' },
  },

  'GET /health/live': {
    id: 'service.isLive',
    tag: 'Operator',
    summary: 'The process is up',
    answer: json(z.object({ status: z.literal('live') })),
  },
  'GET /health/ready': {
    id: 'service.isReady',
    tag: 'Operator',
    summary: 'Whether the parts it needs answer',
    answer: json(health),
    otherAnswers: { 503: health },
  },
  'GET /openapi.json': {
    id: 'service.getDocument',
    tag: 'Operator',
    summary: 'This document',
    answer: json(z.looseObject({ openapi: z.string() })),
  },
  'GET /docs': {
    id: 'service.showReference',
    tag: 'Operator',
    summary: 'This document as a page',
    answer: { kind: 'media', type: 'text/html' },
  },
  'GET /compatibility/plaid': {
    id: 'service.showPlaidOverview',
    tag: 'Operator',
    summary: 'What an application that talks to Plaid has to know',
    answer: { kind: 'media', type: 'text/html' },
  },
};
