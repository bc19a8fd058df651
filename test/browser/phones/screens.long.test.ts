import { eventually } from '../../support/assertions/eventually.js';
import { STORIES } from '../connect-app/support/stories.js';
import { describeInBrowser, newContext } from '../connect-app/support/stage.js';
import { DrivenFlow } from './driven-flow.js';
import { buildReactNative, REACT_NATIVE, swiftDriver, type FlowDriver } from './flow-drivers.js';
import { describeWithSwift } from './with-swift.js';

const PHONE = { viewport: { width: 390, height: 780 }, isMobile: true, hasTouch: true };
/** `done` ends the flow at once. */
const NAMES = Object.keys(STORIES).filter((name) => name !== 'done');

describe('Every screen of Connect in the SDK for React Native', () => {
  beforeAll(async () => {
    expect(await buildReactNative()).toBe(true);
  });
  screensWith(() => REACT_NATIVE);
});

describeWithSwift('Every screen of Connect in the Swift SDK', (swift) =>
  screensWith(() => swiftDriver(swift)),
);

function screensWith(sdk: () => FlowDriver): void {
  describeInBrowser('opens in the width of a phone and reports that it is ready', (stage) => {
    it.each(NAMES)('%s', async (name) => {
      const session = STORIES[name]?.session();
      if (session === undefined) throw new Error(`there is no story ${name}`);
      stage.play(session);
      const page = await (await newContext(stage.browser, PHONE)).newPage();
      const flow = new DrivenFlow(sdk(), page, { base: `${stage.connect.origin}/connect` });
      try {
        await flow.prepare();
        await flow.start({ type: 'present', link_session_token: 'token_of_a_phone' });
        await eventually(() => expect(flow.called.length).toBeGreaterThan(1));
        const { callback } = flow.called[0] ?? {};
        expect(['onReady', 'onEvent']).toContain(callback);
        expect(flow.screen).toBe('web');
        await page.getByRole('heading').first().waitFor();
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(width).toBeLessThanOrEqual(PHONE.viewport.width);
        expect(flow.callsTo('onSuccess')).toEqual([]);
      } finally {
        await flow.close();
      }
    });
  });
}
