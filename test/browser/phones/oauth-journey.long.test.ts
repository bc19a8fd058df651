import { buildReactNative, REACT_NATIVE, swiftDriver, type FlowDriver } from './flow-drivers.js';
import { describeWithSwift } from './with-swift.js';
import type { Page } from 'playwright-core';
import { eventually } from '../../support/assertions/eventually.js';
import { describeJourneys } from '../journeys/support/stage.js';
import { DrivenFlow } from './driven-flow.js';

const PHONE = { viewport: { width: 390, height: 780 }, isMobile: true, hasTouch: true };

/** A bank's own login through an SDK for phones, against the whole service. */
function journeysWith(sdk: () => FlowDriver): void {
  describeJourneys('with the whole service', (stage) => {
    let flows: DrivenFlow[] = [];

    afterEach(async () => {
      await Promise.all(flows.map((flow) => flow.close()));
      flows = [];
    });

    const begin = async (input: object): Promise<{ flow: DrivenFlow; page: Page }> => {
      const page = await stage.newPage(PHONE);
      const flow = new DrivenFlow(sdk(), page, { base: stage.service.info.connect_base_url });
      flows.push(flow);
      await flow.prepare();
      await flow.start(input);
      return { flow, page };
    };

    /**
     * Starts the login of OAuth Bank and approves it in a browser of its own.
     * @returns the address to which the bank redirects the user
     */
    const approve = async ({ flow, page }: { flow: DrivenFlow; page: Page }): Promise<string> => {
      const person = await stage.person(page);
      await person.sees('You’ll sign in at OAuth Bank');
      await person.press(/^Continue to OAuth Bank/);
      await eventually(() => expect(flow.opened).toHaveLength(1));
      const bank = await stage.newPage({});
      await bank.goto(flow.opened[0]?.address ?? '');
      const returned = bank.waitForResponse((response) =>
        response.url().includes('/connect/oauth/callback'),
      );
      await bank.getByRole('button', { name: 'Approve' }).click();
      return (await (await returned).headerValue('location')) ?? '';
    };

    const atOAuthBank = () =>
      stage.session({
        institution_id: 'sandbox-oauth-bank',
        redirect_uri: 'pocketledger://bank-return',
      });

    it('links OAuth Bank, whose own page is open in another browser', async () => {
      const opened = await begin({ type: 'present', link_session_token: await atOAuthBank() });
      const url = await approve(opened);
      expect(url).toMatch(/^pocketledger:\/\/bank-return\?oauth_state_id=[0-9a-f-]{36}$/);
      const { flow, page } = opened;
      await flow.handle({ type: 'auth_ended', attempt: 1, outcome: 'returned', url });
      await (await stage.person(page)).allowAndShare();
      await eventually(() => expect(flow.callsTo('onSuccess')).toHaveLength(1));
      expect(flow.callsTo('onSuccess')[0]).toMatchObject({
        mode: 'link',
        exchangeable_token: expect.stringMatching(/^sandbox_xt_/) as unknown,
        institution: { institution_id: 'sandbox-oauth-bank' },
      });
      expect(flow.callsTo('onExit')).toEqual([]);
      expect(flow.isRemoved).toBe(true);
    });

    it('links after the app was terminated at the bank, from the return address alone', async () => {
      const before = await begin({ type: 'present', link_session_token: await atOAuthBank() });
      const url = await approve(before);
      await before.flow.close();
      const { flow, page } = await begin({ type: 'resume', link_session_token: null, url });
      await (await stage.person(page)).allowAndShare();
      await eventually(() => expect(flow.callsTo('onSuccess')).toHaveLength(1));
      expect(flow.callsTo('onSuccess')[0]).toMatchObject({ mode: 'link' });
      expect(before.flow.callsTo('onSuccess')).toEqual([]);
    });
  });
}

describe('The SDK for React Native', () => {
  beforeAll(async () => {
    expect(await buildReactNative()).toBe(true);
  });
  journeysWith(() => REACT_NATIVE);
});

describeWithSwift('The Swift SDK', (swift) => journeysWith(() => swiftDriver(swift)));
