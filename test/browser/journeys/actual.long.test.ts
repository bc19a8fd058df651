import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ActualServer, PASSWORD } from '../../e2e/simplefin/actual/actual-server.js';
import { expectStatus } from '../../support/actors/link-journey.js';
import { describeJourneys } from './support/stage.js';

/** The names of buttons and links, in the order in which the recipe for Actual has them. */
function recipe(): string[] {
  const [, text = ''] =
    /^\*\*Actual Budget\*\*(.*)$/m.exec(readFileSync('docs/simplefin-server.md', 'utf8')) ?? [];
  return [...text.matchAll(/\*([^*]+)\*/g)].flatMap(([, name]) => name ?? []);
}

describeJourneys('The pages of Actual Budget', (stage) => {
  let actual: ActualServer;
  beforeAll(async () => {
    actual = await ActualServer.start();
  }, 300_000);
  afterAll(() => actual?.stop());

  it('link the accounts of a user by the buttons that the recipe names', async () => {
    const user = randomUUID();
    const link = { institution_id: 'sandbox-instant-bank', customer_user: { id: user } };
    await expectStatus(200, stage.app.call('POST', '/sandbox/link', { body: link }));
    const token = await expectStatus<{ setup_token: string }>(
      200,
      stage.app.call('POST', `/users/${user}/simplefin-tokens`, { body: {} }),
    );
    const page = await stage.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(actual.baseUrl);
    await page.locator('input').first().fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Start budgeting' }).click();

    const pressed: string[] = [];
    const press = async (
      name: string,
      { at = 0, role = 'button' }: { at?: number; role?: 'button' | 'link' } = {},
    ) => {
      if (!pressed.includes(name)) pressed.push(name);
      await page
        .getByRole(role, { name, exact: role === 'button' })
        .nth(at)
        .click();
    };
    await press('More');
    await press('Bank Sync', { role: 'link' });
    // Beside SimpleFIN are two other providers.
    await press('Set up', { at: 1 });
    await page.getByRole('dialog').locator('input').fill(token.setup_token);
    await press('Save and continue');
    await page.getByText('Configured', { exact: true }).waitFor();
    await press('Link bank account', { at: 1 });
    for (const account of ['Everyday Checking (1101)', 'Rainy Day Savings (2202)']) {
      await page.getByText(account).first().waitFor();
      await press('Set up bank sync');
      pressed.push('Create new account');
      await page.getByText('Create new account', { exact: true }).last().click();
    }
    await press('Link accounts');
    const balances = page.getByRole('link').filter({ hasText: 'Everyday Checking (1101)' });
    await balances.filter({ hasText: '2,350.00' }).waitFor();
    await press('All accounts', { role: 'link' });
    await press('Bank Sync');
    await page.getByText('10,750.00').first().waitFor();
    expect(new Set(pressed)).toEqual(new Set(recipe()));
  });
});
