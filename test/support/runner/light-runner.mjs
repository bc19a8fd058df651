import ChildProcessRunner from 'jest-light-runner/child-process';

/**
 * Runs test files in child processes. jest-light-runner 0.7.13 gives all processes of a project one
 * channel for their start data: the first process that asks for it triggers the responses to all, and
 * one that was not listening yet waits forever. Here each file has a channel of its own.
 */
export default class LightRunner extends ChildProcessRunner {
  constructor(...args) {
    super(...args);
    // With one worker, the default is the process of Jest, which a browser of a file would then keep alive.
    this._runtime = 'child_process';
    const runners = this._testRunners;
    const set = runners.set.bind(runners);
    runners.set = (projectConfig, { pool }) => {
      const workerData = {
        globalConfig: this._globalConfig,
        projectConfig,
        runtime: this._runtime,
      };
      const run = ({ path }) => pool.run(path, { channel: startChannel(workerData) });
      return set(projectConfig, { pool, run });
    };
  }
}

function startChannel(workerData) {
  let send;
  return {
    onMessage(listener) {
      send = listener;
    },
    postMessage(message) {
      if (message === 'jest-light-runner-get-worker-data')
        send({ type: 'jest-light-runner-worker-data', workerData });
    },
  };
}
