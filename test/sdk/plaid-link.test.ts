import { ACCOUNT_TYPES } from '../../domain/accounts/account-types.js';
import { plaidAccountType } from '../../domain/plaid/account-type.js';
import { accountType } from '../../packages/plaid-link/src/account-types.js';
import type { PlaidConfig, PlaidHandler } from '../../packages/plaid-link/src/config.js';
import { install, type PlaidGlobal } from '../../packages/plaid-link/src/install.js';
import {
  BANK_DOWN,
  BASE_URL,
  eventOf,
  exitOf,
  frames,
  HostedApp,
  INSTITUTION,
  LINK_SUCCESS,
  RELINK_SUCCESS,
} from './support/hosted-app.js';
import { delivered, installMessagePorts } from './support/message-ports.js';

installMessagePorts();

const TOKEN = 'link-sandbox-3f2b8c1e-5a4d-4e6f-9a7b-0c1d2e3f4a5b';
const PUBLIC_TOKEN = 'public-sandbox-0a1b2c3d-5a4d-4e6f-9a7b-0c1d2e3f4a5b';
const WRONG_PASSWORD = {
  error_id: 'connect_error.invalid_credentials',
  displayed_message: 'That did not work.',
  request_id: 'req_2',
  fault: 'user',
  link_error: 'user_error',
};

const page = window as unknown as { Plaid: PlaidGlobal };
install(BASE_URL);

describe('window.Plaid (plaid-compat 10)', () => {
  let calls: unknown[][] = [];
  let handlers: PlaidHandler[] = [];
  const record =
    (name: string) =>
    (...args: unknown[]) => {
      calls.push([name, ...args]);
    };
  const names = () => calls.map(([name, first]) => (name === 'event' ? String(first) : name));
  const last = (name: string) => calls.findLast(([called]) => called === name);

  function create(config: PlaidConfig = {}): PlaidHandler {
    const handler = page.Plaid.create({
      token: TOKEN,
      onSuccess: record('success'),
      onExit: record('exit'),
      onEvent: record('event'),
      onLoad: record('load'),
      ...config,
    });
    handlers.push(handler);
    return handler;
  }
  /** Resolves when the work that `create` defers is done. */
  const loaded = () =>
    new Promise((resolve) => {
      setTimeout(resolve);
    });
  async function opened(
    config: PlaidConfig = {},
    mode: 'link' | 'relink' = 'link',
  ): Promise<HostedApp> {
    create(config).open();
    await loaded();
    return HostedApp.ready(mode);
  }

  beforeEach(() => {
    calls = [];
    handlers = [];
  });
  afterEach(() => {
    for (const handler of handlers) handler.destroy();
    jest.restoreAllMocks();
  });

  it('remains, whatever loads after it', () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const before = page.Plaid;
    page.Plaid = {
      create: () => {
        throw new Error('the other one');
      },
    } as unknown as PlaidGlobal;
    expect(page.Plaid).toBe(before);
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it('belongs to the first of two script tags, without an error or a warning', () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const before = page.Plaid;
    expect(() => install(BASE_URL)).not.toThrow();
    expect(page.Plaid).toBe(before);
    expect(document.querySelectorAll('script[type="text/plain"]')).toHaveLength(1);
    expect(warn).not.toHaveBeenCalled();
  });

  it('leaves a tag that makes wrappers consider it loaded and that loads nothing', () => {
    const tag = document.querySelector<HTMLScriptElement>(
      'script[src="https://cdn.plaid.com/link/v2/stable/link-initialize.js"]',
    );
    expect(tag?.type).toBe('text/plain');
  });

  it('calls onLoad after create has returned, and opens only then', async () => {
    const handler = create();
    handler.open();
    expect({ calls, frames: frames() }).toEqual({ calls: [], frames: [] });
    await loaded();
    expect(names()).toEqual(['load']);
    expect(frames()).toHaveLength(1);
  });

  it("returns the public token of a new link, with accounts in Plaid's format", async () => {
    const app = await opened();
    await app.say('event', eventOf('success'));
    await app.say('success', { ...LINK_SUCCESS, public_token: PUBLIC_TOKEN });
    expect(names()).toEqual(['load', 'HANDOFF', 'success']);
    expect(last('success')).toEqual([
      'success',
      PUBLIC_TOKEN,
      {
        institution: { name: INSTITUTION.name, institution_id: INSTITUTION.institution_id },
        accounts: [
          {
            id: 'acc_t48yvTFLrNFDUrHnWcHjGB',
            name: 'Everyday Checking',
            mask: '1101',
            type: 'depository',
            subtype: 'checking',
            verification_status: null,
            class_type: null,
          },
        ],
        link_session_id: LINK_SUCCESS.session_id,
        transfer_status: null,
      },
    ]);
  });

  it('returns a public token in update mode, too', async () => {
    const app = await opened({}, 'relink');
    await app.say('success', { ...RELINK_SUCCESS, public_token: PUBLIC_TOKEN });
    expect(last('success')?.[1]).toBe(PUBLIC_TOKEN);
  });

  it('reports a plain cancel without an error', async () => {
    const app = await opened();
    await app.say(
      'event',
      eventOf('change_screen', {
        current_screen_name: 'credentials',
        previous_screen_name: 'finder',
      }),
    );
    await app.say('exit', exitOf('user_closed'));
    expect(last('exit')).toEqual([
      'exit',
      null,
      {
        institution: null,
        link_session_id: LINK_SUCCESS.session_id,
        request_id: '',
        status: 'requires_credentials',
      },
    ]);
  });

  it('reports the last unresolved problem when the user leaves', async () => {
    const leaveAfter = async (...events: string[]) => {
      const app = await opened();
      await app.say('error', WRONG_PASSWORD);
      for (const name of events) await app.say('event', eventOf(name));
      await app.say('exit', exitOf('user_closed'));
      return last('exit')?.[1];
    };
    expect(await leaveAfter()).toEqual({
      error_type: 'ITEM_ERROR',
      error_code: 'INVALID_CREDENTIALS',
      error_message: expect.any(String),
      display_message: 'That did not work.',
    });
    expect(await leaveAfter('submit_credentials')).toBeNull();
  });

  it('does not report a load that failed at first as the reason of a later exit', async () => {
    create().open();
    await loaded();
    const app = HostedApp.inFrame();
    app.hello();
    await app.say('error', { ...BANK_DOWN, error_id: 'connect_error.frame_unavailable' });
    await app.say('ready', { session_id: LINK_SUCCESS.session_id, mode: 'link' });
    await app.say('exit', exitOf('user_closed'));
    expect(last('exit')?.[1]).toBeNull();
  });

  it('reports the code of an error that ends the flow', async () => {
    const app = await opened();
    await app.say('exit', exitOf('error', BANK_DOWN));
    expect(last('exit')).toEqual([
      'exit',
      expect.objectContaining({ error_type: 'INSTITUTION_ERROR', error_code: 'INSTITUTION_DOWN' }),
      expect.objectContaining({ request_id: 'req_1' }),
    ]);
  });

  it.each([
    ['of another shape', 'a b'],
    ['missing', null],
  ])('exits at once with a token that is %s', async (_, token) => {
    create({ token }).open();
    await loaded();
    expect(frames()).toHaveLength(0);
    expect(last('exit')?.[1]).toMatchObject({
      error_type: 'INVALID_INPUT',
      error_code: 'INVALID_LINK_TOKEN',
    });
  });

  it('reports a used or expired token as INVALID_LINK_TOKEN', async () => {
    for (const id of ['invalid_session_token', 'session_expired', 'session_closed']) {
      const app = await opened();
      await app.say('exit', exitOf('error', { ...BANK_DOWN, error_id: `connect_error.${id}` }));
      expect(last('exit')?.[1]).toMatchObject({ error_code: 'INVALID_LINK_TOKEN' });
    }
  });

  it('exits by force without asking, and reports it', async () => {
    const app = await opened();
    handlers.at(-1)?.exit({ force: true });
    await delivered();
    expect(app.heard.at(-1)).toMatchObject({ type: 'request_exit', payload: { force: true } });
    await app.say('exit', exitOf('programmatic'));
    expect(last('exit')?.[1]).toBeNull();
  });

  it('has all keys in every event', async () => {
    const app = await opened();
    await app.say('event', eventOf('open'));
    await app.say(
      'event',
      eventOf('change_screen', {
        current_screen_name: 'accounts',
        previous_screen_name: 'progress',
      }),
    );
    await app.say('event', eventOf('search_institution', { search_term: 'cred' }));
    expect(names()).toEqual(['load', 'OPEN', 'TRANSITION_VIEW']);
    const metadata = last('event')?.[2] as Record<string, unknown>;
    expect(Object.keys(metadata).sort()).toEqual([
      'account_number_mask',
      'error_code',
      'error_message',
      'error_type',
      'exit_status',
      'institution_id',
      'institution_name',
      'institution_search_query',
      'is_update_mode',
      'link_session_id',
      'match_reason',
      'mfa_type',
      'request_id',
      'routing_number',
      'selection',
      'timestamp',
      'view_name',
    ]);
    expect(metadata).toMatchObject({
      view_name: 'SELECT_ACCOUNT',
      timestamp: '2026-03-02T10:15:00.000Z',
      is_update_mode: 'false',
    });
  });

  it('separates handlers, and destroying one removes its own frame', async () => {
    const first = create();
    first.open();
    first.destroy();
    create().open();
    await loaded();
    expect(frames()).toHaveLength(1);
    expect(names()).toEqual(['load']);
    first.destroy();
    expect(frames()).toHaveLength(1);
  });

  it('resumes on the page to which the bank redirected the user', async () => {
    create({
      receivedRedirectUri:
        'https://app.example/bank-return?oauth_state_id=3f2b8c1e-5a4d-4e6f-9a7b-0c1d2e3f4a5b',
    }).open();
    await loaded();
    const deadline = Date.now() + 5_000;
    while (frames().length === 0 && Date.now() < deadline) await loaded();
    expect(frames().map(({ src }) => new URL(src).pathname)).toEqual(['/connect/continue']);
  });

  it('renders inside an element', async () => {
    document.body.innerHTML = '<div id="place"></div>';
    const embedded = page.Plaid.createEmbedded(
      { token: TOKEN },
      document.querySelector('#place') ?? document.body,
    );
    await loaded();
    expect(document.querySelector('#place iframe')).not.toBeNull();
    embedded.destroy();
    expect(frames()).toHaveLength(0);
  });

  it('maps account types as the service does', () => {
    for (const ours of [...ACCOUNT_TYPES, 'liability.boat', 'else']) {
      const { type, subtype } = plaidAccountType(ours);
      expect([ours, ...accountType(ours)]).toEqual([ours, type, subtype]);
    }
  });
});
