import { eventually } from '../../support/assertions/eventually.js';
import type { StepContent } from '../../../packages/connect-protocol/src/step.js';
import { ScriptedSession } from './support/scripted-session.js';
import { describeInBrowser } from './support/stage.js';
import { ACCOUNTS } from './support/views.js';

const withMissing = (): ScriptedSession =>
  new ScriptedSession({
    ...(ACCOUNTS as Extract<StepContent, { kind: 'select_accounts' }>),
    missing: [
      { ref: 'm1', name: 'Holiday Fund', selected: true },
      { ref: null, name: 'Old Savings', selected: false },
      { ref: null, name: 'Shared Card', selected: true },
      { ref: null, name: null, selected: false },
      { ref: null, name: null, selected: false },
    ],
  });

describeInBrowser('The accounts screen', (stage) => {
  it('has an account that cannot be read among the others: in their list, counted, and moved by all', async () => {
    const session = withMissing();
    session.then(() => ({ kind: 'wait', stage: 'finishing', can_cancel: false }));
    const { frame } = await stage.open(session);
    const group = frame.getByRole('group', { name: 'Choose accounts to share' });
    const unread = group.getByRole('checkbox', {
      name: 'Holiday Fund Can’t be read right now. It’s added by itself later.',
    });
    expect(await unread.isChecked()).toBe(true);
    await frame.getByRole('button', { name: 'Share 3 accounts' }).waitFor();
    const all = group.getByRole('checkbox', { name: 'Select all' });
    await all.check();
    await frame.getByRole('button', { name: 'Share 4 accounts' }).waitFor();
    await all.uncheck();
    expect(await unread.isChecked()).toBe(false);
    await all.check();
    expect(await unread.isChecked()).toBe(true);
    await frame.getByRole('button', { name: 'Share 4 accounts' }).click();
    await eventually(() =>
      expect(session.callsTo('POST /session/step')[0]?.body['input']).toEqual({
        kind: 'select_accounts',
        refs: ['a', 'b', 'c', 'm1'],
      }),
    );
  });

  it('asks for an account that can be read when only others are chosen', async () => {
    const session = withMissing();
    const { frame } = await stage.open(session);
    for (const name of [/Everyday Checking/, /Rainy Day Savings/])
      await frame.getByRole('checkbox', { name }).uncheck();
    await frame.getByRole('button', { name: 'Share 1 account' }).click();
    await frame.getByText('Choose at least 1 account.').first().waitFor();
    expect(session.callsTo('POST /session/step')).toEqual([]);
  });

  it('names the accounts that cannot be chosen, except those shared earlier', async () => {
    const { frame } = await stage.open(withMissing());
    await frame.getByText('Old Savings can’t be shown right now. You can add it later.').waitFor();
    await frame.getByText('2 accounts can’t be shown right now. You can add them later.').waitFor();
    expect(await frame.getByText('Shared Card').count()).toBe(0);
  });
});
