import { SANDBOX_PROVIDER } from '../../../../../domain/link/provider-name.js';
import type { StoredConfiguration } from '../../../../../prisma/work/providers/provider-configuration.js';
import { SealedValueUnreadable } from '../../../../../prisma/base/sealing/aes-gcm.js';
import { CommandFailure } from '../../../../../clients/terminal/src/command-failure.js';
import { Refusal } from '../refusal.js';
import type { Service } from '../../service.js';

export async function findConfiguration(
  { configurations }: Pick<Service, 'configurations'>,
  name: string,
): Promise<StoredConfiguration> {
  return (await configurations.find(name)) ?? refuseUnknown(name);
}

/** @throws Refusal */
export function refuseUnknown(name: string): never {
  throw new Refusal(
    'unknown',
    'configuration_not_found',
    name === SANDBOX_PROVIDER
      ? `${name} is built in and created from the settings of the service; it is not a configuration.`
      : `There is no configuration ${name}; see \`providers list\`.`,
  );
}

export async function openSecrets({
  name,
  openSecrets: open,
}: StoredConfiguration): Promise<Readonly<Record<string, string>>> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof SealedValueUnreadable)) throw error;
    throw new CommandFailure(`The secrets of ${name} cannot be opened: ${error.message}.`);
  }
}
