import { once } from 'node:events';
import { createInterface } from 'node:readline';
import fc from 'fast-check';
import {
  idleState,
  step,
  type FlowInput,
  type FlowSetup,
} from '../../packages/connect-react-native/src/flow-machine.js';
import { swiftDriver } from '../browser/phones/flow-drivers.js';
import { describeWithSwift } from '../browser/phones/with-swift.js';
import { runTrace } from './support/flow-traces.js';
import { BASE, moves, type Move } from './support/random-flows.js';

const SERIES = process.env['LONG_RUNS'] ? 10_000 : 300;

const setup = (system: 'ios' | 'android'): FlowSetup => ({
  base: BASE,
  platform: 'react-native',
  system,
  system_version: null,
  sdk: { name: 'connect-react-native', version: '0.1.0' },
});

/** The inputs of a series, some of which depend on the state that they meet. */
function inputsOf(given: FlowSetup, list: readonly Move[]): FlowInput[] {
  let state = idleState(given);
  return list.map((move, index) => {
    const input = move(state, index * 7_000);
    state = step(state, input).state;
    return input;
  });
}

describeWithSwift('The flows of React Native and Swift', (swift) => {
  it('cause the same effects for every random series of inputs', async () => {
    const driver = swiftDriver(swift).start();
    driver.stderr.pipe(process.stderr);
    const lines = createInterface(driver.stdout)[Symbol.asyncIterator]();
    const series = fc.sample(
      fc.tuple(fc.constantFrom(setup('ios'), setup('android')), moves),
      SERIES,
    );
    for (const [given, list] of series) {
      const inputs = inputsOf(given, list);
      const sent = [given, ...inputs].map((line) => `${JSON.stringify(line)}\n`).join('');
      if (!driver.stdin.write(sent)) await once(driver.stdin, 'drain');
      for (const { input, effects } of runTrace(given, inputs)) {
        const { value } = await lines.next();
        const answer = { input, effects: JSON.parse(value as string) as unknown };
        expect(answer).toEqual({ input, effects: JSON.parse(JSON.stringify(effects)) as unknown });
      }
    }
    driver.stdin.end();
  });
});
