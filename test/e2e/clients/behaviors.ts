import { ARGUMENT_BEHAVIORS } from './behaviors/arguments.js';
import { ERROR_BEHAVIORS } from './behaviors/errors.js';
import { LIST_BEHAVIORS } from './behaviors/lists.js';
import { RESPONSE_BEHAVIORS } from './behaviors/responses.js';
import { RETRY_BEHAVIORS } from './behaviors/retries.js';
import { STRANGE_SERVER_BEHAVIORS } from './behaviors/strange-servers.js';
import { SYNC_BEHAVIORS } from './behaviors/sync.js';
import { TOKEN_BEHAVIORS } from './behaviors/tokens.js';
import { TOMORROW_BEHAVIORS } from './behaviors/tomorrow.js';
import { WEBHOOK_BEHAVIORS } from './behaviors/webhooks.js';
import type { DriverProgram } from './support/client-driver.js';
import { openStage, type Stage } from './support/stage.js';

/** The promises of every client library, in any language. */
const BEHAVIORS = [
  ...TOKEN_BEHAVIORS,
  ...RETRY_BEHAVIORS,
  ...STRANGE_SERVER_BEHAVIORS,
  ...ARGUMENT_BEHAVIORS,
  ...RESPONSE_BEHAVIORS,
  ...TOMORROW_BEHAVIORS,
  ...ERROR_BEHAVIORS,
  ...LIST_BEHAVIORS,
  ...SYNC_BEHAVIORS,
  ...WEBHOOK_BEHAVIORS,
];

/**
 * One table holds what every client library promises. It drives a *driver* for each language: a
 * process that reads one JSON object per line from standard input, and writes one JSON line for
 * each to standard output.
 *
 *     {"id":1,"call":"links.get","client":"a","args":{"path":["mk_…"]}}
 *     {"id":1,"ok":{"link_id":"mk_…"}}
 *     {"id":1,"error":{"family":"NotFoundError","code":"link_error.not_found","status":404,"text":"…"}}
 *
 * Rules of a driver:
 * - Requests run concurrently, and their responses come in any order.
 * - Nothing else is written to standard output, and nothing to standard error: a client logs nothing.
 * - It ends with standard input, and is killed with SIGKILL at any moment.
 * - Its environment has `PATH`, what the language needs, and the variables that a row sets.
 * - It uses the client through its public interface.
 *
 * `new` makes the client of later requests with the same `client`. Arguments are options, each with
 * the variable that replaces it: `base_url` (TRIBUTARY_URL), `client_id` and `client_secret`
 * (CLIENT_ID, CLIENT_SECRET), `app_id` (TRIBUTARY_APP_ID), `environment` (TRIBUTARY_ENVIRONMENT, else
 * from the client id); and `scopes`, `headers`, `header_prefix`, `timeout_ms`, `max_retries`. With
 * `attempts`, the client records each attempt for the call `attempts`. `key_set` is the JSON that the
 * client's HTTP transport returns for `/.well-known/jwks.json`, refusing everything else.
 *
 * An operation is called by its id: `path` has the values of its path in their order; `query` or
 * `body` is there whenever the operation has one and options follow; `options` are `timeout_ms`,
 * `max_retries` and `idempotency_key`. The result is the body with the names and JSON types of the
 * wire, money as numbers; null for 204. A list in pages takes `read`: `all` returns every item,
 * `page` returns `{"items":[…],"next":…}` with the cursor or page number of the next page, null at
 * the end, and `pages` a list of these, each with the `status` of its response. With `raw`, the result
 * is `{data, status, content_type, request_id, is_replayed}`. Items of `users.listLinks` are the links, those of `users.listAccounts`
 * `{link_id, accounts, last_synced_at}`.
 *
 * Other calls:
 * - `webhooks.verify`: `body_base64`, `headers` (text, or a list for a header that came more than
 *   once), `received_at`; one that is no time is passed on. The result is the event.
 * - `webhooks.verifyKind`: the same, with the result `{kind, event}`, where `kind` is `unknown` for an event
 *   that the client has no type for.
 * - `webhooks.handle`: gives `body_base64` and `headers` to a handler for web servers, whose app fails with
 *   `fails`. The result is `{status, events, has_logged}` with the keys of the events that the app received.
 * - `links.exportText`: the JSON lines of `link_id`, read to their end.
 * - `attempts`: `{method, path, number, status, has_request_id, error, will_retry}` of each attempt.
 * - `transactions.syncInto`: `link_id`, `size`, and `sqlite`, the file in which the language's own
 *   sample keeps the copy, with the tables of examples/sync-stores-node/sqlite-store.mjs. The result
 *   is `{pages, created, updated, removed, restarted}`.
 * - `inspect`: the text that a developer sees of the client when printing everything of it.
 *
 * Members of an error: `family`, `code`, `status`, `request_id`, `documentation_url`, `retry_after`,
 * `issues`, `link_error_code`, `required_scope`, `message`, and `text`, which is what printing it shows.
 * Families are the names of the classes, which are the same in every language.
 */
export function holdsTheBehaviors(client: string, program: () => DriverProgram): void {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(program());
  });
  afterAll(() => stage?.close());

  it.each(BEHAVIORS)(`${client} %s`, async (_promise, hold) => {
    stage.gate.reset();
    await hold(stage);
  });
}
