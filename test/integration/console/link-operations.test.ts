import { LINK_DETAIL } from '../../../apps/console-server/src/operations/links/link-detail.js';
import { LINK_ROUTE } from '../../../apps/console-server/src/operations/links/link-route.js';
import { LINK_TIMELINE } from '../../../apps/console-server/src/operations/links/link-timeline.js';
import { MOVE_LINK } from '../../../apps/console-server/src/operations/links/move-link.js';
import { runCommand } from '../../support/actors/operator.js';
import { storage } from '../../support/fixtures/stored-link.js';
import { CANARY, storyOf, type Story } from '../links/support/story-of-link.js';
import { APP, ask, OPERATOR, READER, serviceOfFile } from './support/console-stage.js';

serviceOfFile();

let story: Story;
let input: Record<string, string>;
beforeAll(async () => {
  story = await storyOf(storage, new Date('2026-03-01T00:00:00Z'));
  const { linkId } = story.link;
  input = { ...APP, link_id: linkId };
  for (let minute = 0; minute < 25; minute += 1) await story.session(2 + minute);
  for (let minute = 0; minute < 22; minute += 1) await story.route(30 + minute);
  await story.route(60, {
    candidates: [
      { provider: 'sandbox', verdict: 'chosen', reason: 'only_route' },
      { provider: 'second', verdict: 'possible', reason: 'priority' },
      { provider: 'secret-feed', verdict: 'dropped', reason: 'not_allowed_for_app' },
    ],
  });
  const event = await story.event(61, { webhook_event: 'link.state_changed', state: 'connected' });
  const delivery = await story.delivery(event, { status: 'exhausted', attempts: 11 });
  await story.delivery(event, { newest: false, reason: 'listener', status: 'delivered' });
  await story.action(62, {
    action: 'links move',
    subject: `${linkId} --to second`,
    actor: 'eve@host',
  });
  await story.action(63, {
    action: 'links move',
    subject: `${linkId} --to first`,
    actor: READER.actor,
  });
  await story.action(64, { action: 'institutions pause', subject: 'test-bank', actor: 'eve@host' });
  await story.action(65, { action: 'deliveries retry', subject: delivery, actor: 'eve@host' });
});

const printed = async (...args: string[]): Promise<unknown> => {
  const { stdout } = await runCommand([...args, '--json'], {
    DATABASE_URL: storage.url,
    MASTER_KEYS: `test:${storage.masterKey.toString('base64')}`,
  });
  return JSON.parse(stdout);
};

describe('The detail of a link', () => {
  it('is what links show prints, with the newest 20 of its sessions', async () => {
    const detail = await ask(LINK_DETAIL, input);
    const shown = (await printed('links', 'show', story.link.linkId)) as typeof detail;
    const ofSessions = shown.workflow_ids.filter((id) => id.includes('ses_'));
    expect(ofSessions).toHaveLength(25);
    expect(detail).toEqual({
      ...shown,
      workflow_ids: shown.workflow_ids.filter((id) => !ofSessions.slice(0, 5).includes(id)),
    });
  });

  it('shows the status of an event, and not that of its delivery to a listener', async () => {
    const { events } = await ask(LINK_DETAIL, input);
    expect(events).toMatchObject([{ status: 'exhausted', attempts: 11 }]);
  });

  it('holds no secret of the link', async () => {
    expect(JSON.stringify(await ask(LINK_DETAIL, input))).not.toContain(CANARY);
  });
});

describe('The route of a link', () => {
  it('has the newest 20 choices, with the reason for and against each provider in words', async () => {
    const { decisions, is_cut: isCut } = await ask(LINK_ROUTE, input);
    expect([decisions.length, isCut]).toEqual([20, true]);
    expect(decisions[0]?.routes).toEqual([
      {
        provider: 'sandbox',
        verdict: 'chosen',
        reason: 'only_route',
        sentence: 'It is the only possible route.',
      },
      expect.objectContaining({ provider: 'second' }),
      expect.objectContaining({
        provider: 'secret-feed',
        sentence: 'The app may not use it (see apps providers).',
      }),
    ]);
  });

  it('names to a reader of the app no provider that the app may not use', async () => {
    const answer = await ask(LINK_ROUTE, input, { person: READER });
    expect(answer.decisions[0]?.routes.map(({ provider }) => provider)).toEqual([
      'sandbox',
      'second',
    ]);
    expect(JSON.stringify(answer)).not.toContain('secret-feed');
  });
});

describe('The timeline of a link', () => {
  it('shows to an operator what links timeline prints, but for the sealed position', async () => {
    const page = await ask(LINK_TIMELINE, input);
    const shown = (await printed('links', 'timeline', story.link.linkId)) as typeof page;
    expect(page.entries).toEqual(shown.entries);
    expect({ ...page, before: null }).toEqual({ ...shown, before: null });
  });

  it('continues where the page before ended', async () => {
    const seen: unknown[] = [];
    let before: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof LINK_TIMELINE.run>> = await ask(LINK_TIMELINE, {
        ...input,
        ...(before === null ? {} : { before }),
      });
      seen.push(...page.entries);
      before = page.before;
      if (before === null) expect(page.unknown).not.toEqual([]);
    } while (before !== null);
    expect(seen.length).toBeGreaterThan(52);
    expect(new Set(seen.map((entry) => JSON.stringify(entry))).size).toBe(seen.length);
  });

  it('has a position that tells nothing, and is valid for its link alone', async () => {
    const { before } = await ask(LINK_TIMELINE, input);
    expect(before).not.toBeNull();
    expect(Buffer.from(before ?? '', 'base64url').toString('latin1')).not.toContain('ses_');
    const other = await storyOf(storage, new Date('2026-03-01T00:00:00Z'));
    for (const [linkId, position] of [
      [story.link.linkId, 'forged'],
      [other.link.linkId, before],
    ])
      await expect(
        ask(LINK_TIMELINE, { ...APP, link_id: linkId, before: position }),
      ).rejects.toMatchObject({ status: 422 });
  });

  it('shows the kinds that are asked for, and refuses one that does not exist', async () => {
    const { entries } = await ask(LINK_TIMELINE, { ...input, kinds: 'event,operator' });
    expect(new Set(entries.map(({ kind }) => kind))).toEqual(new Set(['event', 'operator']));
    expect(LINK_TIMELINE.input.safeParse({ ...input, kinds: 'all' }).success).toBe(false);
  });

  it('names to a reader of the app only the actions on its link, and only the reader', async () => {
    const all = await ask(LINK_TIMELINE, { ...input, kinds: 'operator' }, { person: OPERATOR });
    expect(all.entries.map(({ title }) => title)).toEqual([
      'eve@host: institutions pause',
      `${READER.actor}: links move`,
      'eve@host: links move',
    ]);
    const page = await ask(
      LINK_TIMELINE,
      { ...input, kinds: 'operator,event,route' },
      { person: READER },
    );
    expect(
      page.entries.filter(({ kind }) => kind === 'operator').map(({ id, title }) => [id, title]),
    ).toEqual([
      [null, `${READER.actor}: links move`],
      [null, 'operator: links move'],
    ]);
    const text = JSON.stringify(page);
    expect(text).toContain('operator: deliveries retry');
    expect(text).not.toContain('eve@host');
    expect(text).not.toContain('secret-feed');
  });

  it('holds no secret of the link', async () => {
    for (const person of [OPERATOR, READER])
      expect(JSON.stringify(await ask(LINK_TIMELINE, input, { person }))).not.toContain(CANARY);
  });
});

describe('The move of a link', () => {
  const moveTo = async () =>
    (await storage.ctx.database.prisma.link.findUniqueOrThrow({ where: { pk: story.link.pk } }))
      .moveTo;

  it('takes effect at its next sign-in, through a provider that reaches its bank', async () => {
    await storage.ctx.database.prisma.institutionRoute.create({
      data: {
        institutionId: 'test-bank',
        provider: 'second',
        remoteId: 'x',
        login: 'none',
        products: [],
      },
    });
    expect(await ask(MOVE_LINK, { ...input, provider: 'second' })).toEqual({
      link_id: story.link.linkId,
      provider: 'second',
    });
    expect(await moveTo()).toBe('second');
    await expect(ask(MOVE_LINK, { ...input, provider: 'elsewhere' })).rejects.toMatchObject({
      status: 422,
    });
    expect(await moveTo()).toBe('second');
  });

  it('takes as a reason one line, as the command does', () => {
    const reads = (reason: string) =>
      MOVE_LINK.input.safeParse({ ...input, provider: 'second', reason }).success;
    expect([reads('it is down'), reads('two\nlines'), reads('x'.repeat(201))]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
