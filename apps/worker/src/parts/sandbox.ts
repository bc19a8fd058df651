import { createSandboxActivities } from '../../../../activities/sandbox/sandbox-activities.js';
import { createWorldActivities } from '../../../../activities/sandbox/world-activities.js';
import { CredentialRepository } from '../../../../prisma/sources/permissions/credential.repository.js';
import { SandboxLinkRepository } from '../../../../prisma/work/sandbox/sandbox-link.repository.js';
import { SandboxRequestRepository } from '../../../../prisma/work/sandbox/sandbox-request.repository.js';
import { WorldAgendaRepository } from '../../../../prisma/work/sandbox/world-agenda.repository.js';
import { WorldRunRepository } from '../../../../prisma/work/sandbox/world-run.repository.js';
import { WorldRepository } from '../../../../prisma/worlds/world.repository.js';
import type { BankAccess } from './bank-access.js';
import { refreshSchedule } from './refresh.js';

/** Sandbox controls, and worlds with a clock of their own. */
export function createSandboxParts(banks: BankAccess) {
  const { ctx, settings, providers, institutions, renewals, quotas, observeFaults } = banks;
  const schedule = refreshSchedule(settings);
  const requests = new SandboxRequestRepository(ctx);
  const deps = {
    requests,
    worlds: new WorldRepository(ctx),
    agenda: new WorldAgendaRepository(ctx, schedule),
    sandboxLinks: new SandboxLinkRepository(ctx),
    // Worlds are deterministic: the same calls lead to the same times.
    runs: new WorldRunRepository(ctx, {
      faultyAfter: settings.faultyAfter,
      schedule,
      chance: () => 0.5,
    }),
    credentials: new CredentialRepository(ctx),
    random: ctx.random,
    institutions,
    providers,
    renewals,
    quotas,
    observeFaults,
  };
  return {
    requests,
    activities: { ...createSandboxActivities(deps), ...createWorldActivities(deps) },
  };
}
