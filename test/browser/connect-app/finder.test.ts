import { eventually } from '../../support/assertions/eventually.js';
import { ok, ScriptedSession } from './support/scripted-session.js';
import { describeInBrowser } from './support/stage.js';
import { makeBank } from './support/views.js';

describeInBrowser('A search that finds no bank', (stage) => {
  it('offers to clear it, and to go back to the app where there is no other way', async () => {
    const opened = await stage.open(new ScriptedSession({ kind: 'select_institution' }));
    const { frame } = opened;
    const field = frame.getByRole('combobox');
    await field.fill('qwe');
    await frame.getByRole('button', { name: 'Clear the search' }).click();
    await frame.getByRole('option', { name: /Credentials Bank/ }).waitFor();
    expect(await field.inputValue()).toBe('');
    expect(await frame.getByRole('button', { name: 'Back to Pocket Ledger' }).count()).toBe(0);
    await field.fill('qwe');
    await frame.getByRole('button', { name: 'Back to Pocket Ledger' }).click();
    await eventually(async () => expect(await opened.heard('exit')).toHaveLength(1));
  });

  it('shows the rare banks, also in a session that allows no bank at all', async () => {
    const session = new ScriptedSession({ kind: 'select_institution' });
    session.on('GET /institutions', () =>
      ok({ institutions: [makeBank('Rare Bank', { group: 'tertiary' })], cursor: { next: null } }),
    );
    const { frame } = await stage.open(session);
    await frame.getByText('There are no banks to choose from yet.').first().waitFor();
    await frame.getByRole('button', { name: 'I can’t find my bank' }).click();
    await frame.getByRole('option', { name: /Rare Bank/ }).waitFor();
  });
});
