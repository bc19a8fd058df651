import type { StepContent } from '../../../packages/connect-protocol/src/step.js';
import { ScriptedSession } from './support/scripted-session.js';
import { describeInBrowser } from './support/stage.js';
import { ACCOUNTS } from './support/views.js';

describeInBrowser('The accounts screen', (stage) => {
  it('offers the accounts that could be read, and those that may be added once they can be read', async () => {
    const session = new ScriptedSession({
      ...(ACCOUNTS as Extract<StepContent, { kind: 'select_accounts' }>),
      missing: [
        { ref: 'm1', name: 'Holiday Fund', selected: true },
        { ref: null, name: 'Old Savings', selected: false },
        { ref: null, name: 'Shared Card', selected: true },
        { ref: null, name: null, selected: false },
        { ref: null, name: null, selected: false },
      ],
    });
    const { frame } = await stage.open(session);
    await frame.getByText('Old Savings can’t be shown right now. You can add it later.').waitFor();
    expect(await frame.getByRole('checkbox', { name: /^Add Holiday Fund once/ }).isChecked()).toBe(
      true,
    );
    await frame.getByText('2 accounts can’t be shown right now. You can add them later.').waitFor();
    await frame.getByRole('checkbox', { name: /Everyday Checking/ }).waitFor();
    expect(await frame.getByText('Shared Card').count()).toBe(0);
  });
});
