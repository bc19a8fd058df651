import { TIMELINE_KINDS } from '../../../prisma/links/timeline/timeline-row.js';
import { runCommand } from '../../support/actors/operator.js';
import { storageOfFile, storage } from '../../support/fixtures/stored-link.js';
import { CANARY, storyOf, type Story } from './support/story-of-link.js';

storageOfFile();

interface Entry {
  kind: string;
  at: string;
  id: string | null;
  title: string;
  cause: string | null;
  remedy: string | null;
  lines: string[];
}
interface Shown {
  title: string;
  remedy: string | null;
  now: Record<string, unknown> | null;
  entries: Entry[];
  before: string | null;
  unknown: string[];
}

const FIRST_AT = new Date('2026-03-01T00:00:00Z');
let env: Record<string, string>;
beforeAll(() => {
  env = { DATABASE_URL: storage.url, MASTER_KEYS: `test:${storage.masterKey.toString('base64')}` };
});

const printed = async (linkId: string, ...args: string[]): Promise<string> => {
  const { status, stdout, stderr } = await runCommand(['links', 'timeline', linkId, ...args], env);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
};
const timeline = async (linkId: string, ...args: string[]): Promise<Shown> =>
  JSON.parse(await printed(linkId, ...args, '--json')) as Shown;
const titles = (entries: readonly Entry[]) => entries.map(({ title }) => title);

/** Something of every source, at times that rise. */
async function tell(story: Story): Promise<void> {
  const { link } = story;
  await story.route(0, { why: 'first' });
  await story.session(0, {
    mode: 'link',
    beganAs: 'link',
    state: 'ended',
    endReason: 'done',
    openedAt: story.at(0.5),
    succeededAt: story.at(1),
    endedAt: story.at(1),
  });
  const delivered = await story.event(2, {
    webhook_event: 'link.state_changed',
    state: 'connected',
    error: null,
    error_message: null,
  });
  await story.delivery(delivered);
  await story.event(3, {
    webhook_event: 'link.product_refresh',
    product: 'accounts',
    state: 'completed',
  });
  await story.event(4, { webhook_event: 'transactions.updates_available', has_history: true });
  await story.event(5, {
    webhook_event: 'link.product_refresh',
    product: 'identity',
    state: 'failed',
    error_message: 'The bank did not answer in time.',
  });
  await story.action(6, {
    action: 'institutions pause',
    subject: 'test-bank --for 1h --reason maintenance',
  });
  await story.event(7, {
    webhook_event: 'link.permission_expiring',
    permission_ends_at: '2026-05-31T00:00:00.000Z',
  });
  await story.unrevoked(8);
  const refused = await story.event(9, {
    webhook_event: 'link.state_changed',
    state: 'error',
    error: 'auth_expired',
    error_message: `The bank asks for a sign-in. ${'x'.repeat(10_000)}`,
  });
  const delivery = await story.delivery(refused, {
    status: 'exhausted',
    attempts: 11,
    history: [
      {
        attempt: 11,
        startedAt: story.at(9).toISOString(),
        durationMs: 12,
        httpStatus: 500,
        error: 'http_status',
        responseExcerpt: CANARY,
      },
    ],
  });
  await story.action(10, { action: 'deliveries retry', subject: delivery, outcome: 'failed' });
  await story.route(11, { failedCause: 'institution_timeout' });
  await story.action(12, {
    action: 'links move',
    subject: `${link.linkId} --to other`,
    outcome: 'started',
  });
  await story.action(12, { action: 'links move', subject: `${link.linkId} --to other` });
  await story.session(13, { state: 'ended', endReason: 'expired', endedAt: story.at(43) });
  await story.event(14, {
    webhook_event: 'ITEM.ERROR',
    error: { error_code: 'ITEM_LOGIN_REQUIRED' },
  });
  await story.event(
    15,
    { webhook_event: 'link.state_changed', state: 'connected' },
    { origin: 'test' },
  );
}

describe('links timeline', () => {
  let story: Story;
  beforeAll(async () => {
    story = await storyOf(storage, FIRST_AT);
    // Before the link existed.
    await story.action(-5, { action: 'institutions pause', subject: 'test-bank' });
    await tell(story);
  });

  it('shows what happened to a link from every source, newest first, and causes below their effects', async () => {
    const { entries, before } = await timeline(story.link.linkId);
    expect(before).toBeNull();
    expect(titles(entries)).toEqual([
      'Permission renewed',
      'Test event: link.state_changed',
      'Item error: ITEM_LOGIN_REQUIRED',
      'Attempt to sign in again: expired',
      'ann: links move',
      'Route of the relink login: sandbox',
      'Sign-in needed (auth_expired)',
      'Permission not ended at its source',
      'The permission ends soon',
      'ann: institutions pause',
      'Refresh failed: identity',
      'Transactions changed',
      'Refreshed: accounts',
      'Connected',
      'Permission stored',
      'Connected for the first time',
      'Attempt to link: linked',
      'Route of the first login: sandbox',
      'Created: chosen at Test Bank',
    ]);
  });

  it('names the cause and the remedy of each entry that has one', async () => {
    const { entries } = await timeline(story.link.linkId);
    const find = (title: string) => entries.find((entry) => entry.title.startsWith(title));
    expect(find('Attempt to sign in again')).toMatchObject({
      cause: expect.stringContaining('without being opened'),
      remedy: expect.stringContaining('Create another session'),
      lines: expect.arrayContaining(['by key pair sandbox_pocket-ledger']),
    });
    expect(find('Route of the relink')).toMatchObject({
      cause:
        'It is the only possible route. It failed (institution_timeout, bank): The bank did not answer in time.',
      remedy: expect.stringContaining('institutions pause'),
      lines: [expect.stringMatching(/^not other: The source refuses the keys/)],
    });
    expect(find('Route of the first')).toMatchObject({
      remedy: 'A source refuses the keys of its configuration: providers check.',
    });
    expect(find('Sign-in needed')).toMatchObject({
      cause: expect.stringMatching(/^The bank ended the permission.{1,300}$/),
      remedy: expect.stringContaining('existing_link_id'),
      lines: [
        expect.stringMatching(
          /^whd_\w+ to https:\/\/app.example: abandoned after 11 times \(HTTP 500 in 12 ms\)$/,
        ),
        expect.stringMatching(/^2026-03-01T00:10:00.000Z ann: deliveries retry \(failed\): whd_/),
      ],
    });
    expect(find('Permission not ended')).toMatchObject({
      cause: 'time_over',
      lines: ['at sandbox, reference grant-1'],
    });
    expect(find('ann: institutions pause')).toMatchObject({
      cause: 'test-bank --for 1h --reason maintenance',
    });
    expect(find('Connected')).toMatchObject({
      lines: [expect.stringContaining('delivered at attempt 1')],
    });
  });

  it.each(TIMELINE_KINDS)(
    'shows only entries of the kind %s where it is asked for them',
    async (kind) => {
      const all = await timeline(story.link.linkId);
      const { entries } = await timeline(story.link.linkId, '--kinds', kind);
      expect(entries).toEqual(all.entries.filter((entry) => entry.kind === kind));
      expect(entries).not.toEqual([]);
    },
  );

  it('prints the link as it is now, its entries, and what cannot be known', async () => {
    const text = await printed(story.link.linkId);
    expect(text).toContain('\nNow\nnext refresh: none is scheduled\naccounts: refreshed never\n');
    expect(text).toMatch(/2026-03-01T00:12:00.000Z {2}ann: links move {2}\[operator \d+\]\n/);
    expect(text).toMatch(/\n\nWhat cannot be known\n- Events are kept for WEBHOOK_EVENT_RETENTION/);
    const { unknown } = await timeline(story.link.linkId);
    for (const line of unknown) expect(text).toContain(`- ${line}`);
  });

  it('holds no token, address, tag, text of a receiver or other secret', async () => {
    for (const args of [[], ['--json']])
      expect(await printed(story.link.linkId, ...args)).not.toContain(CANARY);
  });

  it('leaves out actions on other links, on its bank before it existed, and on things with the same name', async () => {
    const other = await storyOf(storage, FIRST_AT);
    await other.action(6, { action: 'apps create', subject: 'sandbox' });
    await other.action(6, { action: 'links move', subject: `${story.link.linkId}x --to other` });
    const { entries } = await timeline(other.link.linkId, '--kinds', 'operator');
    expect(titles(entries)).toEqual(['ann: institutions pause']);
    expect(entries[0]?.at).toBe('2026-03-01T00:06:00.000Z');
  });

  it('shows an action without an outcome as one whose end is not recorded', async () => {
    const lost = await storyOf(storage, FIRST_AT);
    await lost.action(3, { action: 'links move', subject: lost.link.linkId, outcome: 'started' });
    const { entries } = await timeline(lost.link.linkId, '--kinds', 'operator');
    expect(titles(entries)).toContain('ann: links move (its end is not recorded)');
  });

  it('prints a text of a bank within the line of its entry, whatever characters it has', async () => {
    const hostile = await storyOf(storage, FIRST_AT);
    const text = 'Sorry.\n2026-03-01T00:00:00.000Z  Deleted\r\u001b[2J\u202e';
    await hostile.event(2, {
      webhook_event: 'link.product_refresh',
      product: 'accounts',
      state: 'failed',
      error_message: text,
    });
    const shown = await printed(hostile.link.linkId, '--kinds', 'event');
    expect(shown).toMatch(/^ {2}Sorry\..*2026-03-01T00:00:00\.000Z {2}Deleted.*$/m);
    expect(shown).not.toMatch(/[\r\u001b\u202e]|^2026-03-01T00:00:00\.000Z {2}Deleted/m);
  });

  it('fails for an unknown link, an unknown kind and another position', async () => {
    const fail = async (...args: string[]) =>
      (await runCommand(['links', 'timeline', ...args], env)).status;
    expect(await fail('mk_none')).toBe(1);
    expect(await fail(story.link.linkId, '--kinds', 'refresh')).toBe(1);
    expect(await fail(story.link.linkId, '--before', 'abc')).toBe(1);
  });
});

describe('links timeline of a link with a long story', () => {
  it('loses and repeats no entry from page to page, also at equal times and while others arrive', async () => {
    const story = await storyOf(storage, FIRST_AT);
    for (let minute = 2; minute < 40; minute += 1)
      for (const at of [minute, minute]) {
        await story.route(at);
        await story.session(at);
        await story.event(at, { webhook_event: 'transactions.updates_available' });
        await story.action(at, {
          action: 'links move',
          subject: `${story.link.linkId} --to other`,
        });
        await story.unrevoked(at);
      }
    const pages: Shown[] = [await timeline(story.link.linkId)];
    await story.event(5_000, { webhook_event: 'link.permission_expiring' });
    for (let { before } = pages[0] as Shown; before !== null;) {
      const page = await timeline(story.link.linkId, '--before', before);
      pages.push(page);
      before = page.before;
    }
    const entries = pages
      .flatMap((page) => page.entries)
      // Of its bank, which it shares with the links of other tests.
      .filter(({ title }) => title !== 'ann: institutions pause');
    // 38 minutes with two of each source; the link itself has four moments.
    expect(entries).toHaveLength(38 * 2 * 5 + 4);
    const named = entries.filter(({ id }) => id !== null).map(({ kind, id }) => `${kind} ${id}`);
    expect(new Set(named).size).toBe(38 * 2 * 4);
    const times = entries.map(({ at }) => at);
    expect(times).toEqual([...times].sort().reverse());
    expect(pages.slice(0, -1).every((page) => page.entries.length === 50)).toBe(true);
    expect(pages.map(({ now }) => now !== null)).toEqual(pages.map((_, index) => index === 0));
    expect(pages.map(({ unknown }) => unknown.length > 0)).toEqual(
      pages.map(({ before }) => before === null),
    );
  });
});
