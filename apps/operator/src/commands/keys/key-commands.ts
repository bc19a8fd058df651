import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type {
  KeyRotationRepository,
  ListedKey,
} from '../../../../../prisma/base/keys/key-rotation.repository.js';
import { CommandFailure } from '../../../../../clients/terminal/src/command-failure.js';
import type { Output } from '../../../../../clients/terminal/src/output.js';
import { table } from '../../../../../clients/terminal/src/table.js';
import type { OperatorCommand } from '../../operator-command.js';
import { MASTER_KEY_COMMANDS } from './master-key-commands.js';
import { RecordedOption } from '../../recorded-option.js';

/** A rotation starts within moments when worker and Temporal are running. */
const BEGUN_WITHIN_MS = 30_000;
const LOOK_AGAIN_MS = 100;

export const KEY_COMMANDS: readonly OperatorCommand[] = [
  {
    name: 'keys list',
    help: 'list the keys by key set, newest first: native (/.well-known/jwks.json), plaid-live and plaid-sandbox (/webhook_verification_key/get)',
    examples: ['keys list'],
    recorded: false,
    run: async ({ keyRotations, output }) => show(output, await keyRotations.list()),
  },
  {
    name: 'keys rotate',
    help: 'publish the next key, which signs after SIGNING_KEY_LEAD; the previous one stays published for SIGNING_KEY_OVERLAP',
    examples: ['keys rotate', 'keys rotate --revoke'],
    recorded: true,
    arguments: (command) =>
      command.addOption(
        new RecordedOption(
          '--revoke',
          'immediately sign with the next key and remove all others from the set',
        ),
      ),
    run: async ({ keyRotations, output }, options: { revoke?: boolean }) => {
      const rotation = `command-${randomUUID()}`;
      if (options.revoke === true) await keyRotations.revoke(rotation);
      else await rotate(keyRotations, rotation);
      show(output, await keyRotations.list());
    },
  },
  ...MASTER_KEY_COMMANDS,
];

/** The worker runs the rotation, because lead and overlap are settings of the service. */
async function rotate(rotations: KeyRotationRepository, rotation: string): Promise<void> {
  await rotations.request(rotation);
  for (
    const giveUpAt = Date.now() + BEGUN_WITHIN_MS;
    !(await rotations.isPublished(rotation));
    await pause(LOOK_AGAIN_MS)
  ) {
    if (Date.now() > giveUpAt)
      throw new CommandFailure(
        'The rotation is requested, but the worker or Temporal does not respond. It starts as soon as they do.',
      );
  }
}

function show(output: Output, keys: readonly ListedKey[]): void {
  const entries = keys.map(({ keySet, kid, createdAt, retiredAt }) => ({
    set: keySet,
    kid,
    created_at: createdAt.toISOString(),
    retired_at: retiredAt?.toISOString() ?? null,
  }));
  output.value(entries, () =>
    table(
      keys.map(({ activeFrom }, index) => ({
        ...entries[index],
        signs_from: activeFrom.toISOString(),
      })),
    ),
  );
}
