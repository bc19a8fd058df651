// The flow of Connect as a program, for tests across languages.
//
//   node packages/connect-react-native/driver.mjs
//
// The first line of standard input is the setup (FlowSetup, as `given` of a trace in
// packages/connect-vectors/flows), each further line one input (FlowInput). The response to each input
// is one line, the list of its effects. Another setup is another process of an app, without kept
// state. All are JSON. It needs `npm run build:packages`.
import { createInterface } from 'node:readline';
import '@swc-node/register/esm-register';

const { idleState, step } = await import('./src/flow-machine.ts');

let state;
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue;
  const said = JSON.parse(line);
  if ('base' in said) {
    state = idleState(said);
    continue;
  }
  const next = step(state, said);
  state = next.state;
  process.stdout.write(`${JSON.stringify(next.effects)}\n`);
}
