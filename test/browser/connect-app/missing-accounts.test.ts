import type { StepContent } from '../../../packages/connect-protocol/src/step.js';
import { ScriptedSession } from './support/scripted-session.js';
import { describeInBrowser } from './support/stage.js';
import { ACCOUNTS } from './support/views.js';

describeInBrowser('The accounts screen', (stage) => {
  it('offers the accounts that could be read, and says which ones are missing', async () => {
    const session = new ScriptedSession({
      ...(ACCOUNTS as Extract<StepContent, { kind: 'select_accounts' }>),
      missing: ['Holiday Fund', null, null],
    });
    const { frame } = await stage.open(session);
    await frame.getByText("Holiday Fund can't be shown right now. You can add it later.").waitFor();
    await frame.getByText("2 accounts can't be shown right now. You can add them later.").waitFor();
    await frame.getByRole('checkbox', { name: /Everyday Checking/ }).waitFor();
  });
});
