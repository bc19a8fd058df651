import type { Environment } from '../../../../../domain/api/environment.js';
import { TransitionRefused } from '../../../../../domain/errors/change-refused.js';
import type { LinkError, LinkState } from '../../../../../domain/link/link-state.js';
import { remedyOf } from '../../../../../domain/link/link-remedies.js';
import { LinkRepository } from '../../../../../prisma/links/link/link.repository.js';
import { reportLink, type LinkReport } from '../../../../../prisma/links/link/link-report.js';
import type { StoredIncomplete } from '../../../../../domain/refresh/incomplete-product.js';
import { listUnrevoked } from '../../../../../prisma/sources/permissions/unrevoked-permission.js';
import {
  linkSessionWorkflowId,
  reauthenticationWorkflowId,
} from '../../../../../workflows/session/session.contract.js';
import { productRefreshWorkflowId } from '../../../../../workflows/product-refresh/product-refresh.contract.js';
import { sandboxControlWorkflowId } from '../../../../../workflows/sandbox-control/sandbox-control.contract.js';
import { webhookDeliveryWorkflowId } from '../../../../../workflows/webhook-delivery/webhook-delivery.contract.js';
import { LINK_ROUTE_COMMANDS } from './link-route-commands.js';
import { LINK_TIMELINE } from './link-timeline-command.js';
import { EXPORT_LINK } from '../exports/export-commands.js';
import { CommandFailure } from '../../../../../clients/terminal/src/command-failure.js';
import { wholeNumber } from '../../../../../clients/terminal/src/option-values.js';
import { sheet, table } from '../../../../../clients/terminal/src/table.js';
import type { OperatorCommand } from '../../operator-command.js';
import { reasonOption } from '../../reason-option.js';

export const LINK_COMMANDS: readonly OperatorCommand[] = [
  {
    name: 'links show',
    help: 'show state, products, due times, workflows and last events of a link',
    examples: ['links show LINK_ID'],
    recorded: false,
    arguments: (command) => command.argument('<link_id>'),
    run: async ({ database, output }, linkId: string) => {
      const report = await reportLink(database, linkId);
      if (report === null) throw new CommandFailure(`There is no link ${linkId}.`);
      const shown = presentReport(report);
      output.value(shown, () => describe(shown));
    },
  },
  {
    name: 'links unrevoked',
    help: 'list permissions that were erased here and must be ended at their sources',
    examples: ['links unrevoked --limit 20'],
    recorded: false,
    arguments: (command) =>
      command.option('--limit <number>', 'how many, newest first', wholeNumber, 100),
    run: async ({ database, output }, { limit }: { limit: number }) => {
      const rows = (await listUnrevoked(database, limit)).map((permission) => ({
        link_id: permission.linkId,
        app_id: permission.appId,
        environment: permission.environment,
        institution_id: permission.institutionId,
        adapter: permission.adapter,
        ...presentUnrevoked(permission),
      }));
      output.value(rows, () => table(rows));
    },
  },
  {
    name: 'links delete',
    help: 'delete a link as its app would: the permission ends at the bank, and the data is erased',
    examples: ['links delete LINK_ID --reason "its owner asked for it"'],
    recorded: true,
    arguments: (command) => command.argument('<link_id>').addOption(reasonOption()),
    run: async ({ context, database, output }, linkId: string) => {
      const link = await database.prisma.link.findUnique({
        where: { linkId },
        select: { appId: true, environment: true },
      });
      if (link === null) throw new CommandFailure(`There is no link ${linkId}.`);
      const tenant = { ...link, environment: link.environment as Environment };
      try {
        await new LinkRepository(context).delete(tenant, linkId);
      } catch (error) {
        if (!(error instanceof TransitionRefused)) throw error;
        throw new CommandFailure(`The link ${linkId} is deleted already.`);
      }
      output.value({ link_id: linkId, state: 'deleted' }, () => `${linkId} is deleted.`);
    },
  },
  LINK_TIMELINE,
  EXPORT_LINK,
  ...LINK_ROUTE_COMMANDS,
];

type ShownReport = ReturnType<typeof presentReport>;

function presentReport({ link, adapter, events, unrevoked }: LinkReport) {
  const shownEvents = events.map((event) => {
    const [delivery] = event.deliveries;
    return {
      event_id: event.eventId,
      webhook_event: event.webhookEvent,
      created_at: event.createdAt.toISOString(),
      delivery_token: delivery?.deliveryId ?? null,
      status: delivery?.status ?? null,
      attempts: delivery?.attempts ?? 0,
      next_attempt_at: delivery?.nextAttemptAt?.toISOString() ?? null,
    };
  });
  const { meaning, remedy } = remedyOf(link.state as LinkState, link.errorCode as LinkError | null);
  return {
    link_id: link.linkId,
    app_id: link.appId,
    environment: link.environment,
    institution_id: link.institutionId,
    provider: link.provider,
    state: link.state,
    error: link.errorCode,
    error_message: link.errorMessage,
    error_cause: link.errorCause,
    meaning,
    remedy,
    created_at: link.createdAt.toISOString(),
    connected_at: link.connectedAt?.toISOString() ?? null,
    exchange_expires_at: link.exchangeExpiresAt?.toISOString() ?? null,
    next_due_at: link.nextDueAt?.toISOString() ?? null,
    slow_due_at: link.slowDueAt?.toISOString() ?? null,
    faulty_runs: link.faultyRuns,
    products: link.products.map((product) => ({
      product: product.product,
      granted: product.granted,
      state: product.state,
      refreshed_at: product.refreshedAt?.toISOString() ?? null,
      last_attempted_at: product.lastAttemptedAt?.toISOString() ?? null,
      error_code: product.errorCode,
      error_cause: product.errorCause,
    })),
    incomplete_accounts: link.products.flatMap(({ product, incomplete }) =>
      // Only complete fetches and logins write this column.
      (incomplete as unknown as StoredIncomplete[]).map((account) => ({
        product,
        adapter,
        ...account,
      })),
    ),
    workflow_ids: [
      ...link.sessions.map(sessionWorkflowId),
      productRefreshWorkflowId(link.linkId),
      // A delivery has a workflow once its first attempt failed.
      ...shownEvents.flatMap((event) =>
        event.delivery_token !== null && event.status === 'pending' && event.attempts > 0
          ? [webhookDeliveryWorkflowId(event.delivery_token)]
          : [],
      ),
    ],
    events: shownEvents,
    unrevoked_permissions: unrevoked.map(presentUnrevoked),
  };
}

const presentUnrevoked = ({
  provider,
  reference,
  reason,
  createdAt,
}: LinkReport['unrevoked'][number]) => ({
  provider,
  reference,
  reason,
  created_at: createdAt.toISOString(),
});

function sessionWorkflowId({
  sessionId,
  beganAs,
  openedAt,
}: LinkReport['link']['sessions'][number]): string {
  // A session to repair a link belongs to it before it is opened.
  if (beganAs === 'relink') return reauthenticationWorkflowId(sessionId);
  // No one opens the session of POST /sandbox/link in Connect: its workflow logs in without a user.
  return openedAt === null ? sandboxControlWorkflowId(sessionId) : linkSessionWorkflowId(sessionId);
}

function describe({
  products,
  events,
  workflow_ids,
  incomplete_accounts: incomplete,
  unrevoked_permissions: unrevoked,
  ...facts
}: ShownReport): string {
  return [
    sheet(facts),
    'Products',
    table(products),
    ...(incomplete.length === 0
      ? []
      : ['Accounts of which the last fetch was incomplete', table(incomplete)]),
    'Workflows',
    workflow_ids.join('\n'),
    'Last events, newest first',
    table(events),
    ...(unrevoked.length === 0
      ? []
      : ['Permissions that were not revoked at the bank', table(unrevoked)]),
  ].join('\n\n');
}
