import { ScriptedSession } from './support/scripted-session.js';
import { describeInBrowser } from './support/stage.js';

describeInBrowser('The first load of Connect', (stage) => {
  it('reports the time to the first screen', async () => {
    const session = new ScriptedSession({ kind: 'select_institution' }, { environment: 'live' });
    const { page, frame } = await stage.open(session);
    await frame.getByRole('combobox').waitFor();
    const again = await page.context().newPage();
    const { frame: second } = await stage.open(session, { page: again });
    await second.getByRole('combobox').waitFor();
    const milliseconds = (): number =>
      Math.max(
        ...performance
          .getEntriesByType('resource')
          .map((entry) => (entry as PerformanceResourceTiming).responseEnd),
      );
    process.stdout.write(
      `  from opening to the first screen: ${Math.round(await frame.evaluate(milliseconds))} ms, with a warm cache ${Math.round(await second.evaluate(milliseconds))} ms\n`,
    );
  });
});
