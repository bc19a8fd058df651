import {
  CLIENT_VARIABLES,
  describeWithPythonClient,
} from '../../../support/receivers/python-client.js';
import { holdsTheBehaviors } from '../behaviors.js';

/** Holds the Python client to the table of behaviors, as its driver uses it with these flags. */
export function holdsThePythonClient(client: string, ...flags: string[]): void {
  describeWithPythonClient(`${client}, by the table of behaviors`, (python) => {
    holdsTheBehaviors(client, () => ({
      command: python,
      args: ['test/e2e/clients/drivers/python_driver.py', ...flags],
      env: CLIENT_VARIABLES,
    }));
  });
}
