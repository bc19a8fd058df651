import { EXTEND_EXISTING, LINK_SEPARATELY } from '../../../domain/session/extension-offer.js';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import { endedSignal, exchangedSignal } from '../../../workflows/session/session.contract.js';
import { SANDBOX_LINKS_QUEUE, providerQueue } from '../../../workflows/task-queues.js';
import { BANK, asks, lost, refuses } from '../support/bank-behaviors.js';
import { createFakeActivities } from '../support/fake-session-activities.js';
import { FAKE_PROVIDER, type BankBehavior, type FakeSession } from '../support/fake-session.js';
import { rejectionOf, SessionUser } from '../support/session-user.js';
import {
  recordStory,
  searchAttributesOf,
  TestTemporal,
} from '../../support/services/test-temporal.js';
import { PASSES } from '../support/passes.js';

const FORM = { kind: 'form', sealedAs: 'answer-1' } as const;
const EXTEND = { kind: 'choice' as const, option_ids: [EXTEND_EXISTING] };
const SEPARATELY = { kind: 'choice' as const, option_ids: [LINK_SEPARATELY] };
const linked: BankBehavior = () => ({ kind: 'linked', accounts: 3, questions: [] });
const asksForm: BankBehavior = () => asks('form');
const denies = refuses('user_denied', (cause) => new ProviderFailure(cause, 'no'));
const THERE: NonNullable<FakeSession['another']> = {
  linkId: 'mk_there',
  state: 'error',
  error: 'auth_expired',
};

// link-lifecycle 2.5, duplicate_institution_warning.
describe.each(PASSES)(
  'linkSession at a bank where its user has a link, %s',
  (pass, maxCachedWorkflows) => {
    let temporal: TestTemporal;
    const sessions = new Map<string, FakeSession>();
    const users: SessionUser[] = [];

    beforeAll(async () => {
      temporal = await TestTemporal.open();
      const { links, bank } = createFakeActivities(sessions);
      await temporal.startWorkers(
        [
          { taskQueue: SANDBOX_LINKS_QUEUE, activities: links },
          { taskQueue: providerQueue(FAKE_PROVIDER), activities: bank, withoutWorkflows: true },
        ],
        { maxCachedWorkflows },
      );
    });
    afterAll(() => temporal.close());

    const record = (user: SessionUser, story: string) =>
      pass === 'with its cache' ? recordStory(user.handle, 'link-session', story) : undefined;
    const attributesOf = (user: SessionUser) => searchAttributesOf(user.handle);
    const logins = (user: SessionUser) =>
      user.row.calls.filter((call) => call.startsWith('beginLogin') || call === 'extendLink');

    /** A user who is prompted to extend the existing link. */
    async function warned({
      bank = [asksForm, linked],
      preset = false,
    }: { bank?: BankBehavior[]; preset?: boolean } = {}): Promise<SessionUser> {
      const user = new SessionUser(temporal, sessions);
      users.push(user);
      Object.assign(user.row, {
        bank,
        another: THERE,
        ...(preset ? { presetInstitutionId: 'fake-bank' } : {}),
      });
      await user.open();
      if (!preset) await user.submit(BANK);
      expect(user.row.steps.at(-1)).toBe('choice');
      expect(user.row.count('openBankLogin')).toBe(0);
      return user;
    }

    async function ended(user: SessionUser): Promise<void> {
      user.row.state = 'ended';
      await user.handle.signal(endedSignal);
      await user.result();
    }

    it('extends it: the login is a relink, nothing is exchanged, and the session ends with its success', async () => {
      const user = await warned();
      await user.submit(EXTEND);
      expect(user.row.steps).toEqual(['select_institution', 'choice', 'form']);
      expect(logins(user)).toEqual(['beginLogin fake-bank', 'extendLink', 'beginLogin fake-bank']);
      // Nothing has changed yet: operators find the link unchanged.
      expect(await attributesOf(user)).toMatchObject({
        LinkId: ['mk_there'],
        LinkState: ['error'],
        LinkErrorCode: ['auth_expired'],
      });
      await user.submit(FORM);
      expect(user.row.steps.at(-1)).toBe('success');
      expect(await user.result()).toEqual({ outcome: 'extended' });
      const found = await attributesOf(user);
      expect(found).toMatchObject({ LinkId: ['mk_there'], LinkState: ['connected'] });
      expect(found).not.toHaveProperty('LinkErrorCode');
      await record(user, 'extended');
      // A later window finds the success, and no further step.
      expect(await user.open()).toEqual({ seq: 4 });
      expect(await user.result()).toEqual({ outcome: 'extended' });
    });

    it('does not ask again after a failure', async () => {
      const user = await warned({ bank: [asksForm, denies, asksForm] });
      await user.submit(SEPARATELY);
      await user.submit(FORM);
      await user.submit({ kind: 'error', action: 'retry' });
      expect(user.row.steps.slice(-3)).toEqual(['form', 'connect_error.oauth_denied', 'form']);
      expect(logins(user)).toEqual([
        'beginLogin fake-bank',
        'beginLogin fake-bank separateLink',
        'beginLogin fake-bank separateLink',
      ]);
    });

    it('creates a new link if the user wants one, and asks again after another choice', async () => {
      const user = await warned({ bank: [asksForm, denies, asksForm, linked] });
      await user.submit(SEPARATELY);
      await user.submit(FORM);
      await user.submit({ kind: 'error', action: 'choose_another' });
      await user.submit(BANK);
      expect(user.row.steps.slice(-2)).toEqual(['select_institution', 'choice']);
      await user.submit(SEPARATELY);
      expect(logins(user)).toEqual([
        'beginLogin fake-bank',
        'beginLogin fake-bank separateLink',
        'beginLogin fake-bank',
        'beginLogin fake-bank separateLink',
      ]);
      await user.submit(FORM);
      expect(await attributesOf(user)).toMatchObject({
        LinkId: [`mk_${user.sessionId}`],
        LinkState: ['awaiting_token_exchange'],
      });
      await user.handle.signal(exchangedSignal);
      expect(await user.result()).toEqual({ outcome: 'exchanged' });
    });

    it.each([
      ['back', async (user: SessionUser) => user.submit({ kind: 'back' })],
      ['exit', async (user: SessionUser) => user.exit()],
      [
        'choosing another bank after a failure',
        async (user: SessionUser) => {
          await user.submit(FORM);
          return user.submit({ kind: 'error', action: 'choose_another' });
        },
      ],
    ])('discards the link after %s', async (_, leave) => {
      const user = await warned({ bank: [asksForm, denies] });
      await user.submit(EXTEND);
      await leave(user);
      expect(user.row.steps.at(-1)).toBe('select_institution');
      const found = await attributesOf(user);
      expect(found).not.toHaveProperty('LinkId');
      expect(found).not.toHaveProperty('LinkState');
      user.row.another = null;
      user.row.bank = [linked];
      await user.submit(BANK);
      expect(await attributesOf(user)).toMatchObject({
        LinkId: [`mk_${user.sessionId}`],
        LinkState: ['awaiting_token_exchange'],
      });
      await user.handle.signal(exchangedSignal);
      expect(await user.result()).toEqual({ outcome: 'exchanged' });
    });

    it('continues as for a new link when the existing one is deleted before the answer', async () => {
      const user = await warned();
      user.row.another = null;
      await user.submit(EXTEND);
      expect(user.row.steps.at(-1)).toBe('form');
      await user.submit(FORM);
      expect(await attributesOf(user)).toMatchObject({
        LinkId: [`mk_${user.sessionId}`],
        LinkState: ['awaiting_token_exchange'],
      });
      await ended(user);
    });

    it('asks first in a session for one bank, and again when it is opened after an exit', async () => {
      const user = await warned({ preset: true });
      expect(user.row.steps).toEqual(['choice']);
      await user.submit(EXTEND);
      await user.exit();
      expect(user.row.steps).toEqual(['choice', 'form', 'wait']);
      await user.open();
      expect(user.row.steps.at(-1)).toBe('choice');
      await ended(user);
    });

    it('returns to the choice of a bank from the question and from a lost login', async () => {
      const user = await warned({ bank: [lost] });
      await user.submit({ kind: 'back' });
      expect(user.row.steps.at(-1)).toBe('select_institution');
      await user.submit(BANK);
      await user.submit(EXTEND);
      expect(user.row.steps.slice(-2)).toEqual(['choice', 'select_institution !interrupted']);
      expect(await attributesOf(user)).not.toHaveProperty('LinkId');
      await ended(user);
    });

    it('continues from the row when its history is lost, at the question, the login and the success', async () => {
      const user = await warned();
      await user.handle.terminate('the history is gone');
      await user.submit(EXTEND);
      expect(user.row.steps).toEqual(['select_institution', 'choice', 'form']);
      await user.handle.terminate('the history is gone');
      await user.submit(FORM);
      expect(user.row.steps.at(-1)).toBe('success');
      expect(await user.result()).toEqual({ outcome: 'extended' });
      expect(await rejectionOf(user.submit(FORM))).toBe('SessionClosed');
    });
  },
);
