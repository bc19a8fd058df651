import { AuthenticationError, ServiceConnectionError } from '@tributary/node';
import { explainFailure } from '../../../clients/cli/src/explain-failure.js';
import { COMMANDS } from '../../../clients/cli/src/commands/all-commands.js';

const FAILURES = [
  new ServiceConnectionError('The service does not respond.', 'connection_failed'),
  Object.create(AuthenticationError.prototype, { message: { value: 'Refused.' } }) as Error,
];

describe('The remedy of a failed command', () => {
  it('names no other call of the same command', () => {
    for (const { name } of COMMANDS)
      for (const error of FAILURES)
        expect(explainFailure(error, name).next ?? '').not.toContain(`\`tributary ${name}\``);
  });

  it('names the commands that help', () => {
    expect(FAILURES.map((error) => explainFailure(error, 'links list').next)).toEqual([
      'Check the address and the network. `tributary doctor` examines both.',
      'Check the key pair and its scopes with `tributary whoami`. Log in again with `tributary login`.',
    ]);
    expect(explainFailure(FAILURES[1], 'whoami').next).toBe('Log in again with `tributary login`.');
  });
});
