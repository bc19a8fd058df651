import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type {
  FlowInput,
  FlowState,
} from '../../../packages/connect-react-native/src/flow-machine.js';
import { exitOf, LINK_SUCCESS, RELINK_SUCCESS, BANK_DOWN, eventOf } from './hosted-app.js';

export const BASE = 'https://api.example/connect';
export const TOKENS = ['sandbox_ls_first', 'sandbox_ls_second'];

export const OWN_STATE = '0b8f4c7e-5a0d-4f0e-9d53-6f4f9d1c2a77';
const STATES = [OWN_STATE, '7f3c2e1d-6b5a-4c4d-8e9f-0a1b2c3d4e5f'];
const RETURNS = [
  ...STATES.map((id) => `pocketledger://bank-return?oauth_state_id=${id}`),
  'pocketledger://settings',
];

/** An input that may depend on the current state, as a message does on the channel of the load. */
export type Move = (state: FlowState, at: number) => FlowInput;

type Timeless = FlowInput extends infer Each
  ? Each extends FlowInput
    ? Omit<Each, 'at'>
    : never
  : never;

const move =
  (input: Timeless): Move =>
  (_, at) =>
    ({ ...input, at }) as FlowInput;

const MESSAGES: [string, object][] = [
  ['hello', { app_version: '1' }],
  ['hello', {}],
  ['ready', { session_id: 'ses_1', mode: 'link' }],
  ['event', eventOf('change_screen')],
  ['event', eventOf('exit', { reason: 'user_closed' })],
  ['error', BANK_DOWN],
  ['success', LINK_SUCCESS],
  ['success', RELINK_SUCCESS],
  ['exit', exitOf('user_closed')],
  ['exit', exitOf('error', BANK_DOWN)],
  ['exit', exitOf('moved')],
  ['close', {}],
  ...STATES.map((id): [string, object] => ['resume_ack', { oauth_state_id: id }]),
  ...['https://bank.example/login', 'javascript:alert(1)', 'pocketledger://login'].map(
    (authorize_url): [string, object] => [
      'oauth_open',
      { authorize_url, redirect_uri: 'pocketledger://bank-return', window: 'system' },
    ],
  ),
  // The mark of the first state; the second one is that of another session.
  [
    'oauth_open',
    {
      authorize_url: 'https://bank.example/login',
      redirect_uri: 'pocketledger://bank-return',
      window: 'system',
      state_hash: createHash('sha256').update(OWN_STATE).digest('base64url'),
    },
  ],
];

/** The channel of the current load, which the adapter reads from the address that it loads. */
function channelOf({ memory }: FlowState): string {
  if (memory === null) return 'none';
  return memory.load === 1 ? memory.channel : `${memory.channel}-${memory.load}`;
}

const message = fc
  .record({
    said: fc.constantFrom(...MESSAGES),
    origin: fc.constantFrom(BASE, BASE, BASE, BASE, 'https://evil.example', `${BASE}@evil`),
    isCurrent: fc.integer({ min: 0, max: 7 }).map((number) => number > 0),
  })
  .map(({ said: [type, payload], origin, isCurrent }): Move => (state, at) => ({
    type: 'message',
    at,
    text: JSON.stringify({
      ns: 'connect',
      v: 1,
      channel: isCurrent ? channelOf(state) : 'another-channel-000000',
      type,
      payload,
    }),
    origin,
    main_frame: true,
  }));

/** An attempt of the newest session at a bank, or of the previous one. */
const loginEnd = fc
  .record({
    age: fc.constantFrom(0, 0, 0, 1),
    outcome: fc.constantFrom('returned', 'cancelled', 'dismissed', 'failed'),
    url: fc.constantFrom(...RETURNS),
  })
  .map(({ age, outcome, url }): Move => ({ memory }, at) => {
    const attempt = (memory?.login.attempt ?? 0) - age;
    return outcome === 'returned'
      ? { type: 'auth_ended', at, attempt, outcome, url }
      : { type: 'auth_ended', at, attempt, outcome: outcome as 'cancelled' };
  });

const begin = fc
  .record({
    link_session_token: fc.constantFrom(...TOKENS),
    channel: fc.constantFrom('channel-a', 'channel-b'),
    close_on_success: fc.boolean(),
    url: fc.constantFrom(null, null, ...RETURNS),
    isTokenLost: fc.boolean(),
  })
  .map(({ link_session_token: token, channel, close_on_success, url, isTokenLost }) => {
    const start = { channel, options: { locale: 'en', close_on_success } };
    return move(
      url === null
        ? { type: 'present', link_session_token: token, ...start }
        : { type: 'resume', url, link_session_token: isTokenLost ? null : token, ...start },
    );
  });

const other = fc.oneof(
  fc.constantFrom(...RETURNS).map((url) => move({ type: 'link', url })),
  fc
    .tuple(fc.constantFrom(...RETURNS, ...RETURNS), fc.constantFrom(null, ...TOKENS))
    .map(([url, link_session_token]) => move({ type: 'opened', url, link_session_token })),
  fc
    .constantFrom('network' as const, 'http' as const, 'content_ended' as const)
    .map((cause) => move({ type: 'load_failed', cause })),
  fc
    .constantFrom('hello' as const, 'ack' as const, 'exit' as const)
    .map((timer) => move({ type: 'tick', timer })),
  fc.boolean().map((force) => move({ type: 'exit', force })),
  fc
    .constantFrom('back' as const, 'close' as const, 'try_again' as const, 'unmount' as const)
    .map((type) => move({ type })),
  fc
    .constantFrom('https://evil.example', 'tel:1', `${BASE}/start`)
    .chain((address) =>
      fc.constantFrom(
        move({ type: 'arrived', address }),
        move({ type: 'navigate', address, main_frame: true, by_user: true, new_window: false }),
      ),
    ),
  fc.constant(move({ type: 'restyle', theme: null, appearance: 'dark' })),
);

/** Inputs in any order. Messages are the most frequent, as in an app. */
export const moves = fc.array(
  fc.oneof(
    { arbitrary: message, weight: 8 },
    { arbitrary: other, weight: 4 },
    { arbitrary: begin, weight: 2 },
    { arbitrary: loginEnd, weight: 2 },
  ),
  { minLength: 1, maxLength: 60, size: 'max' },
);
