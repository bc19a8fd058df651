import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ANDROID_STUBS, describeWithKotlin } from './support/kotlin.js';
import { expectLoss } from '../support/services/expect-loss.mjs';

const FLOWS = fileURLToPath(new URL('../../packages/connect-vectors/flows/', import.meta.url));

interface Envelope {
  type: string;
  channel: string;
  payload: Record<string, unknown>;
}

interface Trace {
  then: {
    input: { type: string; text?: string };
    effects: { type: string; envelope?: Envelope }[];
  }[];
}

/** Every message in the traces of the flows that some SDK acts on, with its sender. */
function vectorFlows(): { from: 'page' | 'app'; envelope: Envelope }[] {
  const traces = readdirSync(FLOWS).flatMap(
    (file) => JSON.parse(readFileSync(FLOWS + file, 'utf8')) as Trace[],
  );
  return traces
    .flatMap(({ then }) => then)
    .flatMap(({ input, effects }) => [
      ...(input.type === 'message' && effects.length > 0
        ? [{ from: 'page' as const, envelope: JSON.parse(input.text ?? '') as Envelope }]
        : []),
      ...effects.flatMap(({ envelope }) =>
        envelope === undefined ? [] : [{ from: 'app' as const, envelope }],
      ),
    ]);
}

const PAGE = readFileSync(
  fileURLToPath(new URL('../../docs/connect-on-android.md', import.meta.url)),
  'utf8',
);
const [activity = '', start = '', hosted = ''] = [...PAGE.matchAll(/^```kotlin\n(.*?)^```/gms)].map(
  ([, code]) => code,
);

const ORIGIN = 'https://api.example';
const CONNECT = `${ORIGIN}/connect`;
const TOKEN = 'sandbox_ls_1';
const RETURN = 'pocketledger://bank-return?oauth_state_id=';
/** Version 4 UUIDs, since a process accepts each return once. */
let states = 0;
const newReturn = (): string => {
  states += 1;
  return `${RETURN}0b8f4c7e-5a0d-4f0e-9d53-${String(states).padStart(12, '0')}`;
};

const bankOf = (url: string): object => ({
  authorize_url: 'https://oauth-bank.example/authorize?state=x',
  redirect_uri: 'pocketledger://bank-return',
  state_hash: createHash('sha256').update(url.slice(RETURN.length)).digest('base64url'),
});

describe('The messages in docs/connect-on-android.md', () => {
  it('are those of the cases that every SDK runs, with their members', () => {
    const table = /^\| From \|.*?(?=^$)/ms.exec(PAGE)?.[0] ?? '';
    const rows = table
      .trim()
      .split('\n')
      .slice(2)
      .map((row) => row.split('|').map((cell) => cell.trim()))
      .map(([, from, type, members = '']) => ({
        from,
        type: type?.replaceAll('`', ''),
        members: [...members.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort(),
      }));
    const expected = new Map<string, { from: string; type: string; members: Set<string> }>();
    for (const { from, envelope } of vectorFlows()) {
      const key = `${from} ${envelope.type}`;
      const row = expected.get(key) ?? { from, type: envelope.type, members: new Set<string>() };
      for (const name of Object.keys(envelope.payload)) row.members.add(name);
      expected.set(key, row);
    }
    const inOrder = (list: readonly { from?: string | undefined; type?: string | undefined }[]) =>
      [...list].sort((a, b) => `${a.from} ${a.type}`.localeCompare(`${b.from} ${b.type}`));
    expect(inOrder(rows)).toEqual(
      inOrder([...expected.values()].map((row) => ({ ...row, members: [...row.members].sort() }))),
    );
  });
});

describeWithKotlin('The activity in docs/connect-on-android.md', (kotlin) => {
  let folder: string;
  let java: ChildProcessWithoutNullStreams;
  let lines: AsyncIterator<string>;
  /** The actions of the activity. */
  type Done = [what: string, data: string][];

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tributary-android-'));
    const file = (name: string, code: string): string => {
      writeFileSync(join(folder, name), code);
      return join(folder, name);
    };
    const inActivity = (name: string, argument: string, code: string): string =>
      `package example.pocketledger\nimport android.content.Intent\nimport android.net.Uri\n` +
      `import androidx.activity.ComponentActivity\nimport androidx.browser.customtabs.CustomTabsIntent\n` +
      `class ${name} : ComponentActivity() {\n  fun open(${argument}: String) {\n${code}  }\n}\n`;
    const stubs = readdirSync(ANDROID_STUBS).filter((name) => name.endsWith('.kt'));
    const classes = kotlin.compile([
      ...stubs.map((name) => join(ANDROID_STUBS, name)),
      file('ConnectActivity.kt', activity),
      file('StartActivity.kt', inActivity('StartActivity', 'token', start)),
      file('HostedActivity.kt', inActivity('HostedActivity', 'hostedUrl', hosted)),
    ]);
    java = spawn('java', kotlin.run(classes, 'play.PlayKt'));
    expectLoss(java.stdin);
    java.stderr.pipe(process.stderr);
    lines = createInterface(java.stdout)[Symbol.asyncIterator]();
  }, 300_000);
  afterAll(async () => {
    java.stdin.end();
    await once(java, 'close');
    rmSync(folder, { recursive: true, force: true });
  });

  async function play(input: object): Promise<Done> {
    java.stdin.write(`${JSON.stringify(input)}\n`);
    return JSON.parse((await lines.next()).value as string) as Done;
  }
  const loadOf = (done: Done): string => done.find(([what]) => what === 'load')?.[1] ?? '';
  const channelOf = (address: string): string => /#channel=([\w-]{22})$/.exec(address)?.[1] ?? '';
  const sent = (done: Done): Envelope[] =>
    done.flatMap(([what, script]) => {
      const [, literal] = /^window\.__connectReceive\((".*")\)$/.exec(script) ?? [];
      return what === 'run' ? [JSON.parse(JSON.parse(literal ?? '') as string) as Envelope] : [];
    });
  const say = (channel: string, type: string, payload: object = {}, more: object = {}) =>
    play({
      type: 'message',
      text: JSON.stringify({ ns: 'connect', v: 1, channel, type, payload }),
      origin: ORIGIN,
      main_frame: true,
      ...more,
    });
  const open = async (more: object = {}) => {
    const channel = channelOf(
      loadOf(await play({ type: 'create', link_session_token: TOKEN, ...more })),
    );
    return { channel, init: sent(await say(channel, 'hello', { app_version: '1' }))[0] };
  };

  it('loads Connect without the token, which only `init` receives', async () => {
    const address = loadOf(await play({ type: 'create', link_session_token: TOKEN }));
    expect(address).toBe(`${CONNECT}/start#channel=${channelOf(address)}`);
    expect(sent(await say(channelOf(address), 'hello'))).toMatchObject([
      {
        type: 'init',
        channel: channelOf(address),
        payload: { link_session_token: TOKEN, options: { platform: 'react-native' } },
      },
    ]);
  });

  it('accepts no message of another origin, frame, channel or form', async () => {
    const { channel } = await open();
    const linked = { mode: 'link', exchangeable_token: 'xt_1' };
    for (const more of [
      { origin: 'https://api.example.evil' },
      { main_frame: false },
      { text: '{' },
    ])
      expect(await say(channel, 'success', linked, more)).toEqual([]);
    expect(await say('another-channel-000000', 'success', linked)).toEqual([]);
  });

  it('reports every final message of the cases once, and closes', async () => {
    const finals = vectorFlows().filter(
      ({ envelope: { type, payload } }) =>
        (type === 'success' || type === 'exit') && payload['reason'] !== 'moved',
    );
    for (const { envelope } of finals) {
      const { channel } = await open();
      const done = await say(channel, envelope.type, envelope.payload);
      expect(done[0]).toEqual(['finish', '']);
      expect(done.slice(1).map(([what, data]) => [what, JSON.parse(data) as unknown])).toEqual([
        [envelope.type === 'success' ? 'linked' : 'left', envelope.payload],
      ]);
      expect(await say(channel, envelope.type, envelope.payload)).toEqual([]);
    }
  });

  it('leaves the notice that the flow has moved until the page closes', async () => {
    const { channel } = await open();
    const moved = await say(channel, 'exit', { reason: 'moved' });
    expect(moved.map(([what]) => what)).toEqual(['left']);
    expect(await say(channel, 'close')).toEqual([['finish', '']]);
  });

  it('opens a bank in a Custom Tab, hands its return to the page once, and continues without a response', async () => {
    const { channel } = await open();
    const url = newReturn();
    const login = bankOf(url);
    expect(await say(channel, 'oauth_open', login)).toEqual([
      ['tab', 'https://oauth-bank.example/authorize?state=x'],
    ]);
    expect(await say(channel, 'oauth_open', { ...login, authorize_url: 'javascript:1' })).toEqual(
      [],
    );
    const foreign = { ...login, redirect_uri: 'otherapp://x' };
    expect(sent(await say(channel, 'oauth_open', foreign))).toMatchObject([
      { type: 'oauth_result', payload: { cancelled: true } },
    ]);
    expect(await play({ type: 'link', url: 'pocketledger://settings' })).toEqual([]);
    expect(sent(await play({ type: 'link', url }))).toMatchObject([
      { type: 'oauth_result', payload: { url } },
    ]);
    expect(await play({ type: 'link', url })).toEqual([]);
    const again = loadOf(await play({ type: 'elapse', ms: 2_000 }));
    expect(again).toBe(`${CONNECT}/continue?load=2#channel=${channelOf(again)}`);
    expect(sent(await say(channelOf(again), 'hello'))).toMatchObject([
      { payload: { continue_url: url, link_session_token: TOKEN } },
    ]);
  });

  it('stops waiting once the page has acknowledged the return', async () => {
    const { channel } = await open();
    const url = newReturn();
    await say(channel, 'oauth_open', bankOf(url));
    expect(sent(await play({ type: 'link', url }))).toHaveLength(1);
    await say(channel, 'resume_ack', { oauth_state_id: 'x' });
    expect(await play({ type: 'elapse', ms: 60_000 })).toEqual([]);
  });

  it('continues without a token when a return starts the app, and ignores the same return later', async () => {
    const url = newReturn();
    const { init } = await open({ url, link_session_token: '' });
    expect(init?.payload).toMatchObject({ continue_url: url });
    expect(init?.payload).not.toHaveProperty('link_session_token');
    expect(await play({ type: 'create', url })).toEqual([['finish', '']]);
  });

  it('leaves its page alone for a link that is not the return of one of its logins', async () => {
    const { channel } = await open();
    const own = newReturn();
    expect(await play({ type: 'link', url: newReturn() })).toEqual([]);
    await say(channel, 'oauth_open', bankOf(own));
    expect(await play({ type: 'link', url: newReturn() })).toEqual([]);
    expect(await play({ type: 'elapse', ms: 60_000 })).toEqual([]);
    expect(sent(await play({ type: 'link', url: own }))).toHaveLength(1);
  });

  it('knows its logins again when the system has recreated it at the bank', async () => {
    const { channel } = await open();
    const own = newReturn();
    await say(channel, 'oauth_open', bankOf(own));
    await play({ type: 'recreate' });
    const address = loadOf(await play({ type: 'link', url: own }));
    expect(address).toContain('/continue?load=2#');
    expect(sent(await say(channelOf(address), 'hello'))).toMatchObject([
      { payload: { continue_url: own, link_session_token: TOKEN } },
    ]);
  });

  it('closes at once when the list of recent apps starts it with an old return', async () => {
    const url = newReturn();
    expect(await play({ type: 'create', url, from_history: true })).toEqual([['finish', '']]);
    const { init } = await open({ from_history: true });
    expect(init?.payload).toMatchObject({ link_session_token: TOKEN });
  });

  it.each([
    ['silence', { type: 'elapse', ms: 10_000 }],
    ['a failed load', { type: 'load_failed', address: `${CONNECT}/start` }],
    ['a main frame elsewhere', { type: 'arrived', address: 'https://elsewhere.example/' }],
    ['the end of the process that renders it', { type: 'content_ended' }],
  ])('offers another attempt after %s', async (_, input) => {
    const channel = channelOf(loadOf(await play({ type: 'create', link_session_token: TOKEN })));
    expect(await play(input)).toEqual([['dialog', 'Try again, Close']]);
    expect(await say(channel, 'hello')).toEqual([]);
    expect(loadOf(await play({ type: 'press', button: 'Try again' }))).toContain('/start?load=2#');
    await play(input);
    expect(await play({ type: 'press', button: 'Close' })).toEqual([
      ['finish', ''],
      ['left', '{"reason":"error"}'],
    ]);
  });

  it('loads nothing but Connect, and opens pages of the web outside by a tap', async () => {
    await open();
    const to = async (address: string, more: object = {}) =>
      (await play({ type: 'navigate', address, ...more }))
        .flat()
        .filter((text) => text !== 'overridden');
    expect(await to(`${CONNECT}/start`)).toEqual(['false']);
    expect(await to(`${CONNECT}.evil/start`)).toEqual(['true']);
    expect(await to('https://help.example/')).toEqual(['true']);
    expect(await to('https://help.example/', { by_user: true })).toEqual([
      'outside',
      'https://help.example/',
      'true',
    ]);
    expect(await to('otherapp://pay', { by_user: true })).toEqual(['true']);
  });

  it('asks the page about the back key, and can be closed before there is a page', async () => {
    await open();
    expect(sent(await play({ type: 'back' }))).toMatchObject([{ type: 'back' }]);
    await play({ type: 'create', link_session_token: TOKEN });
    expect(await play({ type: 'back' })).toEqual([
      ['finish', ''],
      ['left', '{"reason":"user_closed"}'],
    ]);
  });
});
