import { answerQuestions } from '../../support/actors/answer-questions.js';
import { chooseLiveBank, logInLive } from './support/live-journey.js';
import { AppBackEnd, type ConnectVisit } from '../../support/actors/link-journey.js';
import { eventually } from '../../support/assertions/eventually.js';
import { StoredTruth } from '../../support/assertions/stored-truth.js';
import {
  startLiveSimulators,
  type LiveSimulators,
} from '../../support/services/live-simulators.js';
import { Standalone } from '../../support/services/standalone.js';

jest.setTimeout(300_000);

let service: Standalone;
let app: AppBackEnd;
let live: LiveSimulators;
let truth: StoredTruth;
beforeAll(async () => {
  service = await Standalone.start();
  app = new AppBackEnd(service.info.base_url, service.app.sandbox);
  truth = new StoredTruth(() => service.info.database_url);
  live = await startLiveSimulators(service);
});
afterAll(async () => {
  await live?.close();
  await service?.dispose();
});

const stepOf = ({ view }: ConnectVisit) =>
  truth.rows("SELECT step->>'kind' AS kind FROM link_sessions WHERE session_id = $1", [
    view.session_id,
  ]);

it.each([
  ['simplefin', '/simplefin/accounts', '/simplefin/claim/'],
  ['enable-banking', '/accounts/*', '/sessions'],
  ['fdx', '/first-fdx/*accounts', '/first-fdx/token'],
] as const)(
  'A login through %s continues by itself when the worker is killed between the exchange and the list of accounts',
  async (vendor, lists, exchanges) => {
    const simulator = live.simulators[vendor];
    const visit = await chooseLiveBank(app, vendor);
    // Checks of the configuration request tokens, too.
    const known = (await simulator.requests()).length;
    await simulator.script('silent', { path: lists, method: 'GET' });
    const loggedIn = logInLive(visit, vendor, live);
    await eventually(async () => {
      const calls = await simulator.requests();
      expect(calls.some(({ misbehavior }) => misbehavior === 'silent')).toBe(true);
      // Later steps are polled. The step of the exchange itself would be returned unchanged.
      expect(await stepOf(visit)).toEqual([{ kind: 'wait' }]);
    });
    await service.untilRestarted('worker', service.kill('worker'));
    await loggedIn;
    expect((await answerQuestions(visit)).step.kind).toBe('success');
    const calls = (await simulator.requests()).slice(known);
    expect(
      calls.filter(({ method, path }) => method === 'POST' && path.startsWith(exchanges)),
    ).toHaveLength(1);
  },
);
