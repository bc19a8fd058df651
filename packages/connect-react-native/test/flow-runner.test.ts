import { FlowRunner } from '../src/flow-runner';
import { callbacks, startProcess, TOKEN } from './support/render-app';

const BASE = 'https://api.example/connect';

describe('A flow that is removed in one of its callbacks', () => {
  it('calls none of the callbacks that were to follow', () => {
    startProcess();
    const heard = callbacks();
    const flow = new FlowRunner({
      baseAddress: BASE,
      look: {},
      callbacks: heard,
      browser: { open: () => new Promise(() => undefined), close() {} },
      isResumable: async () => false,
      onRemoved: () => undefined,
    });
    heard.onEvent.mockImplementation(() => flow.destroy());
    flow.present(TOKEN);
    const channel = /channel=(.*)$/.exec(flow.view().address ?? '')?.[1];
    const say = (type: string, payload: object) =>
      flow.message(JSON.stringify({ ns: 'connect', v: 1, channel, type, payload }), BASE);
    say('hello', {});
    say('exit', { reason: 'user_closed' });
    expect(heard.onEvent).toHaveBeenCalledTimes(1);
    expect(heard.onExit).not.toHaveBeenCalled();
  });
});
