import { ScriptedSession } from './support/scripted-session.js';
import { describeInBrowser } from './support/stage.js';
import { BANKS, CREDENTIALS, makeBank } from './support/views.js';

describeInBrowser('The logo of a bank', (stage) => {
  const ours = (name = 'bank.png') => `${stage.connect.origin}/connect/logos/${name}`;

  it('is shown from the service, beside banks with a letter on their color', async () => {
    const session = new ScriptedSession({ kind: 'select_institution' });
    session.banks = [makeBank('Quay Bank', { logo_url: ours() }), ...BANKS.slice(3, 6)];
    const { frame } = await stage.open(session);
    const logo = frame.getByRole('option', { name: /Quay Bank/ }).locator('img.logo');
    await logo.waitFor();
    await frame.waitForFunction(() => {
      const image = document.querySelector<HTMLImageElement>('img.logo');
      return image !== null && image.complete && image.naturalWidth === 152;
    });
    expect(await frame.locator('.monogram').count()).toBe(3);
  });

  it('is never loaded from another origin, whose owner would learn who looks for the bank', async () => {
    const asked: string[] = [];
    const elsewhere = 'https://cdn.example/logo.png';
    const session = new ScriptedSession({ kind: 'select_institution' });
    session.banks = [
      makeBank('Quay Bank', { logo_url: elsewhere }),
      makeBank('Dock Bank', { logo_url: 'data:image/svg+xml,<svg/>' }),
      makeBank('Pier Bank', { logo_url: 'not an address' }),
    ];
    const page = await stage.newPage();
    page.on('request', (request) => void asked.push(new URL(request.url()).origin));
    const { frame } = await stage.open(session, { page });
    await frame.getByRole('option', { name: /Quay Bank/ }).waitFor();
    expect(await frame.locator('.monogram').allTextContents()).toEqual(['Q', 'D', 'P']);
    expect(await frame.locator('img.logo').count()).toBe(0);
    expect([...new Set(asked)].sort()).toEqual([stage.app.origin, stage.connect.origin].sort());
  });

  it('is the first letter where it does not load, in the same color each time', async () => {
    const institution = makeBank('Quay Bank', { logo_url: ours('missing.png') });
    const colorOf = async (): Promise<string> => {
      const { frame } = await stage.open(new ScriptedSession(CREDENTIALS, { institution }));
      const monogram = frame.locator('.badge .monogram', { hasText: 'Q' });
      await monogram.waitFor();
      expect(await frame.locator('img.logo').count()).toBe(0);
      return monogram.evaluate((element) => getComputedStyle(element).backgroundColor);
    };
    expect(await colorOf()).toBe(await colorOf());
  });
});
