import { randomUUID } from 'node:crypto';
import {
  PUBLISHED,
  signedAt,
  VECTOR_BODY,
  VECTOR_ISSUER,
  VECTOR_KEY_ID,
} from '../../../support/receivers/webhook-forgeries.js';
import type { Behavior } from './behavior.js';

const LIST = 'GET /links';

interface Raw {
  data: { session_id: string };
  status: number;
  request_id: string;
}

export const RESPONSE_BEHAVIORS: readonly Behavior[] = [
  [
    'returns a result with its response on demand: status, headers, request id and replay mark',
    async ({ driver, client: make }) => {
      const client = await make();
      const key = randomUUID();
      const create = () =>
        driver.result<Raw>(
          'linkSessions.create',
          {
            body: { customer_user: { id: 'user-of-responses' } },
            options: { idempotency_key: key },
            raw: true,
          },
          client,
        );
      const first = await create();
      expect(first).toMatchObject({
        data: { session_id: expect.stringMatching(/^ses_/) },
        content_type: expect.stringContaining('application/json'),
        request_id: expect.stringMatching(/^.{8,64}$/),
        is_replayed: false,
      });
      expect(first.status).toBeGreaterThanOrEqual(200);
      const again = await create();
      expect(again).toMatchObject({ data: first.data, status: first.status, is_replayed: true });
      expect(again.request_id).not.toBe(first.request_id);
      const refused = await driver.refusal('links.get', { path: ['mk_0'], raw: true }, client);
      expect(refused).toMatchObject({ family: 'NotFoundError', status: 404 });
    },
  ],
  [
    'returns a link or a token from the sandbox, and names which of them',
    async ({ driver, client: make }) => {
      const client = await make();
      const create = (result?: string) =>
        driver.result<{ exchangeable_token?: string }>(
          'sandbox.createLink',
          { body: { customer_user: { id: 'user-of-results' }, ...(result && { result }) } },
          client,
        );
      const linkId = expect.stringMatching(/^mk_/) as string;
      const link = { result: 'link', link_id: linkId, link: { link_id: linkId } };
      expect(await create()).toMatchObject(link);
      expect(await create('link')).toMatchObject(link);
      const made = await create('exchangeable_token');
      expect(made).toEqual({
        result: 'exchangeable_token',
        exchangeable_token: expect.stringMatching(/^sandbox_xt_/),
        expires_in: 1_800,
      });
      const { exchangeable_token: token } = made;
      expect(
        await driver.result(
          'linkSessions.exchangeToken',
          { body: { exchangeable_token: token } },
          client,
        ),
      ).toMatchObject({ link_id: linkId });
    },
  ],
  [
    'reads a list page after page, each with its response',
    async ({ driver, link, client: make }) => {
      const client = await make();
      const userId = 'user-of-pages';
      const linkIds = [await link(userId), await link(userId)];
      const pages = await driver.result<{ items: { link_id: string }[]; status: number }[]>(
        'links.list',
        { query: { user: userId, limit: 1 }, read: 'pages' },
        client,
      );
      expect(pages.flatMap(({ items }) => items.map((each) => each.link_id))).toEqual(linkIds);
      expect(pages.length).toBeGreaterThanOrEqual(2);
      for (const { status } of pages) expect(status).toBe(200);
    },
  ],
  [
    'reports each attempt to the app, also those for tokens, and that another one follows',
    async ({ driver, gate, client: make, options }) => {
      const client = await make({ attempts: true, max_retries: 1 });
      gate.plan(LIST, { respond: 503, headers: { 'retry-after': '0' } });
      await driver.result('links.list', { query: { limit: 1 }, read: 'page' }, client);
      await driver.refusal('links.get', { path: ['mk_0'] }, client);
      const attempts = await driver.result<object[]>('attempts', {}, client);
      const success = { status: expect.any(Number), error: null, will_retry: false };
      expect(attempts).toEqual([
        { ...success, method: 'POST', path: '/auth/token', number: 1, has_request_id: true },
        {
          ...{ method: 'GET', path: '/links', number: 1, status: 503, has_request_id: false },
          ...{ error: 'http_error', will_retry: true },
        },
        { ...success, method: 'GET', path: '/links', number: 2, has_request_id: true },
        {
          ...{ method: 'GET', path: '/links/mk_0', number: 1, status: 404, has_request_id: true },
          ...{ error: 'link_error.not_found', will_retry: false },
        },
      ]);
      expect(JSON.stringify(attempts)).not.toContain(String(options['client_secret']));
    },
  ],
  [
    'handles webhooks: gives events to the app, refuses others with 400, and logs what fails',
    async ({ driver }) => {
      await driver.result('new', { base_url: VECTOR_ISSUER, key_set: PUBLISHED }, 'handler');
      const handle = (args: object = {}) =>
        driver.result(
          'webhooks.handle',
          {
            body_base64: VECTOR_BODY.toString('base64'),
            headers: { 'service-signature': signedAt(new Date()) },
            ...args,
          },
          'handler',
        );
      const none = { events: [], has_logged: false };
      expect(await handle()).toEqual({ ...none, status: 204, events: [VECTOR_KEY_ID] });
      expect(await handle({ body_base64: 'e30=' })).toEqual({ ...none, status: 400 });
      expect(await handle({ headers: {} })).toEqual({ ...none, status: 400 });
      const large = Buffer.alloc(300_000).toString('base64');
      expect(await handle({ body_base64: large })).toEqual({ ...none, status: 400 });
      expect(await handle({ fails: true })).toEqual({ ...none, status: 500, has_logged: true });
    },
  ],
];
