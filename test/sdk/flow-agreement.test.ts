import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
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
import { expectLoss } from '../support/services/expect-loss.mjs';

/** `npm run test:all` sets FLOW_SERIES for more. */
const SERIES = Number(process.env['FLOW_SERIES'] ?? 1_000);

interface Turn {
  input: FlowInput;
  effects: unknown;
}

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
    const expected: Turn[] = [];
    const sending = sendSeries(expectLoss(driver.stdin), expected);
    for await (const line of createInterface(driver.stdout)) {
      const { input, effects } = expected.shift() as Turn;
      const answer = JSON.parse(line) as unknown;
      // Far faster than `expect`, which explains the difference.
      if (!isDeepStrictEqual(answer, effects))
        expect({ input, effects: answer }).toEqual({ input, effects });
    }
    await sending;
    expect(expected).toEqual([]);
    // Some 20 inputs each, while other levels run.
  }, 1_800_000);
});

/** Writes every series, preceded by the effects that each of its inputs must cause, as JSON. */
async function sendSeries(to: Writable, expected: Turn[]): Promise<void> {
  const series = fc.sample(
    fc.tuple(fc.constantFrom(setup('ios'), setup('android')), moves),
    SERIES,
  );
  for (const [given, list] of series) {
    const inputs = inputsOf(given, list);
    for (const { input, effects } of runTrace(given, inputs))
      expected.push({ input, effects: JSON.parse(JSON.stringify(effects)) as unknown });
    const sent = [given, ...inputs].map((line) => `${JSON.stringify(line)}\n`).join('');
    if (!to.write(sent)) await once(to, 'drain');
  }
  to.end();
}
