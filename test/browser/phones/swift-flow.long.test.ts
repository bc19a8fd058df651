import { eventually } from '../../support/assertions/eventually.js';
import { PHONE_STORIES, STATE_ID } from './support/phone-stories.js';
import type { ScriptedSession } from '../connect-app/support/scripted-session.js';
import { describeInBrowser, newContext, type Stage } from '../connect-app/support/stage.js';
import { DrivenFlow } from './driven-flow.js';
import { swiftDriver } from './flow-drivers.js';
import { describeWithSwift } from './with-swift.js';

const RETURN_URL = `pocketledger://bank-return?oauth_state_id=${STATE_ID}`;
const TOKEN = 'swift_canary_token';

describeWithSwift('The Swift SDK', (swift) => {
  describeInBrowser('against the hosted app', (stage) => {
    let flows: DrivenFlow[] = [];

    afterEach(async () => {
      await Promise.all(flows.map((flow) => flow.close()));
      flows = [];
    });

    const start = async (story: string, input: object, token: string | null = TOKEN) => {
      const session = storyOf(story);
      stage.play(session);
      const page = await phonePage(stage);
      const flow = new DrivenFlow(swiftDriver(swift), page, {
        base: `${stage.connect.origin}/connect`,
      });
      flows.push(flow);
      await flow.prepare();
      await flow.start({ ...input, link_session_token: token });
      return { flow, page, session };
    };

    it('links through a bank’s own login, and the token is only in init', async () => {
      const { flow, page, session } = await start('oauth', { type: 'present' });
      await page.getByRole('button', { name: 'Continue to OAuth Bank' }).click();
      await eventually(() =>
        expect(flow.opened).toEqual([
          { attempt: 1, address: 'https://oauth-bank.example/authorize' },
        ]),
      );
      await flow.handle({
        type: 'auth_ended',
        attempt: 1,
        outcome: 'returned',
        url: RETURN_URL,
      });
      await page.getByRole('heading', { name: 'Choose accounts to share' }).waitFor();
      await page.getByRole('button', { name: /^(Continue|Share)/ }).click();
      await eventually(() => expect(flow.callsTo('onSuccess')).toHaveLength(1));
      expect(flow.callsTo('onSuccess')[0]).toMatchObject({
        mode: 'link',
        exchangeable_token: 'sandbox_xt_scripted',
      });
      expect(flow.events).toEqual(expect.arrayContaining(['open', 'open_oauth', 'return_oauth']));
      expect(flow.events.at(-1)).toBe('success');
      expect(flow.isRemoved).toBe(true);
      expect(flow.callsTo('onExit')).toEqual([]);
      expect(JSON.stringify(flow.called)).not.toContain(TOKEN);
      expect(
        session.callsTo('POST /session/open').map(({ body }) => [body['origin'], body['platform']]),
      ).toEqual([[null, 'ios']]);
    });

    it('continues at /continue when the page was terminated while the bank was open', async () => {
      const { flow, page, session } = await start('oauth', { type: 'present' });
      await page.getByRole('button', { name: 'Continue to OAuth Bank' }).click();
      await eventually(() => expect(flow.opened).toHaveLength(1));
      await flow.handle({ type: 'load_failed', cause: 'content_ended' });
      await page.getByRole('heading', { name: 'Finish in your bank’s window' }).waitFor();
      await flow.handle({ type: 'link', url: RETURN_URL });
      await eventually(() => expect(session.callsTo('POST /session/resume')).toHaveLength(1));
      expect(session.callsTo('POST /session/resume')[0]?.body).toMatchObject({
        url: RETURN_URL,
        link_session_token: TOKEN,
      });
    });

    it('resumes from only the address after the app was terminated', async () => {
      const { flow, page } = await start('resumed', { type: 'resume', url: RETURN_URL }, null);
      await page.getByRole('heading', { name: 'What Pocket Ledger will see' }).waitFor();
      expect(flow.screen).toBe('web');
    });

    it('loads the page again when the user tries again', async () => {
      const { flow, page, session } = await start('credentials', { type: 'present' });
      await page.getByRole('heading', { name: 'Sign in to your bank' }).waitFor();
      await flow.handle({ type: 'load_failed', cause: 'network' });
      expect(flow.screen).toBe('failure');
      await flow.handle({ type: 'try_again' });
      await eventually(() => expect(session.callsTo('POST /session/open')).toHaveLength(2));
      await page.getByRole('heading', { name: 'Sign in to your bank' }).waitFor();
      expect(flow.screen).toBe('web');
    });

    it('lets the user leave, and reports one exit', async () => {
      const { flow, page } = await start('credentials', { type: 'present' });
      await page.getByRole('heading', { name: 'Sign in to your bank' }).waitFor();
      await flow.handle({ type: 'exit', force: true });
      await eventually(() => expect(flow.callsTo('onExit')).toHaveLength(1));
      expect(flow.callsTo('onExit')[0]).toMatchObject({ reason: 'programmatic', error: null });
      expect(flow.isRemoved).toBe(true);
      expect(flow.callsTo('onSuccess')).toEqual([]);
    });

    it('repairs a link, without a token to exchange', async () => {
      const { flow, page } = await start('relink', { type: 'present' });
      await page.getByRole('heading', { name: 'Choose accounts to share' }).waitFor();
      await page.getByRole('button', { name: /^(Continue|Share)/ }).click();
      await eventually(() => expect(flow.callsTo('onSuccess')).toHaveLength(1));
      expect(flow.callsTo('onSuccess')[0]).toMatchObject({ mode: 'relink' });
      expect(flow.callsTo('onSuccess')[0]).not.toHaveProperty('exchangeable_token');
    });
  });
});

function storyOf(name: string): ScriptedSession {
  const story = PHONE_STORIES[name];
  if (story === undefined) throw new Error(`There is no story ${name}.`);
  return story();
}

async function phonePage(stage: Stage) {
  const context = await newContext(stage.browser, {
    viewport: { width: 390, height: 780 },
    isMobile: true,
    hasTouch: true,
  });
  return context.newPage();
}
