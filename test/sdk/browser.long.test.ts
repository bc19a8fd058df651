import { eventually } from '../support/assertions/eventually.js';
import {
  BANK,
  describeSdkInBrowser,
  finish,
  goToBank,
  heard,
  names,
} from './support/sdk-in-browser.js';

describeSdkInBrowser((sdk) => {
  it('finds the window that started through the page when the popup lost its opener', async () => {
    const { page, frame } = await sdk.open();
    const popup = await goToBank(page, frame, sdk.returnAddress('&coop'));
    await eventually(async () => {
      expect((await heard(frame)).at(-1)?.type).toBe('resume');
    });
    await eventually(() => {
      expect(popup.isClosed()).toBe(true);
    });
    expect((await heard(frame)).at(-1)).toEqual({
      from: 'port',
      type: 'resume',
      payload: { url: sdk.returnAddress('&coop') },
    });
    expect(await names(page)).toEqual(['ready']);
  });

  const kinds = [
    ['a page like any other', ''],
    ['a page that cuts off every opener', '&coop'],
  ] as const;

  it.each(kinds)(
    'navigates the page itself to the bank, and continues with the token of the tab on %s',
    async (_, extra) => {
      await sdk.bankThatReturnsTo(sdk.returnAddress(extra));
      const { page, frame } = await sdk.open('/?oauthWindow=same');
      await frame.evaluate(
        `port.postMessage({ ns: 'connect', v: 1, channel, type: 'oauth_open', payload: { authorize_url: ${JSON.stringify(BANK)}, window: 'same' } })`,
      );
      await page.waitForURL(sdk.returnAddress(extra));
      const back = await sdk.hostedApp(page);
      expect(back.url()).toContain('/continue#channel=');
      expect(await heard(back)).toMatchObject([
        {
          type: 'init',
          payload: { continue_url: sdk.returnAddress(extra), link_session_token: 'token' },
        },
      ]);
      await finish(page, back);
      expect(await page.evaluate('sessionStorage.length')).toBe(0);
    },
  );

  it('continues in the popup with the token of its tab when the window that started is closed', async () => {
    await sdk.bankThatReturnsTo(undefined);
    const { page, frame } = await sdk.open();
    const popup = await goToBank(page, frame, BANK);
    await popup.waitForURL(BANK);
    await page.close();
    await popup.evaluate(`location.href = ${JSON.stringify(sdk.returnAddress())}`);
    await popup.waitForURL(sdk.returnAddress());
    expect((await heard(await sdk.hostedApp(popup)))[0]?.payload).toMatchObject({
      link_session_token: 'token',
    });
  });
});
