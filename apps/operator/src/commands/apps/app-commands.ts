import { CONNECT_FEATURES } from '../../../../../domain/session/connect-features.js';
import { COUNTRIES } from '../../../../../domain/institutions/countries.js';
import { isUniqueViolation } from '../../../../../prisma/base/database/database-failures.js';
import type {
  ApplicationChanges,
  UpdatedApplication,
} from '../../../../../prisma/tenants/applications/application.repository.js';
import {
  issueApplication,
  presentIssued,
  type IssuedApplication,
} from '../../../../../prisma/tenants/applications/key-pair.js';
import { CommandFailure } from '../../../../../clients/terminal/src/command-failure.js';
import { APP_PROVIDERS } from './app-provider-command.js';
import { APP_USE_COMMANDS } from './app-use-commands.js';
import { pageOrigin, redirectOrigin } from '../../origins.js';
import { sheet, table } from '../../../../../clients/terminal/src/table.js';
import type { OperatorCommand } from '../../operator-command.js';
import { collect, oneOf, wholeNumber } from '../../../../../clients/terminal/src/option-values.js';
import { collectOrNone, httpsAddress, orEmpty } from '../../option-parsers.js';
import { RecordedOption } from '../../recorded-option.js';

const DEFAULT_LIVE_LIMIT = 10;

interface CreateOptions {
  name: string;
  liveLimit: number;
  redirectOrigin: string[];
  pageOrigin: string[];
}

interface UpdateOptions {
  name?: string;
  liveLimit?: number;
  redirectOrigin?: string[];
  pageOrigin?: string[];
  feature?: string[];
  country?: string;
  logoUrl?: string;
  liveListening?: 'on' | 'off';
}

export const APP_COMMANDS: readonly OperatorCommand[] = [
  {
    name: 'apps create',
    help: 'create an app with a Sandbox and a Live key pair; the secrets are shown only once',
    examples: [
      'apps create --name "Pocket Ledger"',
      'apps create --name "Pocket Ledger" --redirect-origin https://ledger.example --page-origin https://ledger.example',
    ],
    recorded: true,
    arguments: (command) =>
      command
        .addOption(
          new RecordedOption('--name <name>', 'name that end users see').makeOptionMandatory(),
        )
        .option(
          '--live-limit <number>',
          'maximum number of links of its Live pair',
          wholeNumber,
          DEFAULT_LIVE_LIMIT,
        )
        .option(
          '--redirect-origin <origin>',
          'scheme://host[:port] that an OAuth login may return to; repeatable',
          collect(redirectOrigin),
          [],
        )
        .option(
          '--page-origin <origin>',
          'origin of a page that may embed Connect, or native for phone apps; repeatable',
          collect(pageOrigin),
          [],
        ),
    run: async ({ applications, output }, options: CreateOptions) => {
      const issued = await create(options, (app) => issueApplication(applications, app));
      output.value(presentIssued(issued), () => describe(issued));
    },
  },
  {
    name: 'apps update',
    help: 'change the given properties; a list replaces the previous one, and "" empties it',
    examples: [
      'apps update pocket-ledger --page-origin native',
      'apps update pocket-ledger --logo-url ""',
    ],
    recorded: true,
    arguments: (command) =>
      command
        .argument('<app_id>')
        .addOption(new RecordedOption('--name <name>', 'name that end users see'))
        .option('--live-limit <number>', 'maximum number of links of its Live pair', wholeNumber)
        .option(
          '--redirect-origin <origin>',
          'scheme://host[:port] that an OAuth login may return to; repeatable',
          collectOrNone(redirectOrigin),
        )
        .option(
          '--page-origin <origin>',
          'origin of a page that may embed Connect, or native for phone apps; repeatable',
          collectOrNone(pageOrigin),
        )
        .option(
          '--feature <feature>',
          `Connect feature that its sessions may use, one of ${CONNECT_FEATURES.join(', ')}; repeatable`,
          collectOrNone(oneOf(...CONNECT_FEATURES)),
        )
        .option(
          '--country <country>',
          `country of its users' banks unless a session sets another, one of ${COUNTRIES.join(', ')}`,
          oneOf(...COUNTRIES),
        )
        .option(
          '--logo-url <url>',
          'https address of the logo that end users see; "" for none',
          orEmpty(httpsAddress),
        )
        .option(
          '--live-listening <on|off>',
          'whether its Live key pairs may listen to webhooks',
          oneOf('on', 'off'),
        ),
    run: async ({ applications, output }, appId: string, options: UpdateOptions) => {
      const updated = await applications.updateApplication(appId, changesOf(options));
      if (updated === null) throw new CommandFailure(`There is no app ${appId}.`);
      const shown = presentSettings(updated);
      output.value(shown, () => sheet(shown));
    },
  },
  {
    name: 'apps list',
    help: 'list the apps, oldest first',
    examples: ['apps list'],
    recorded: false,
    run: async ({ applications, output }) => {
      const rows = (await applications.list()).map(({ appId, name, createdAt }) => ({
        app_id: appId,
        name,
        created_at: createdAt.toISOString(),
      }));
      output.value(rows, () => table(rows));
    },
  },
  ...APP_USE_COMMANDS,
  APP_PROVIDERS,
];

function changesOf({
  name,
  liveLimit,
  redirectOrigin: redirectOrigins,
  pageOrigin: pageOrigins,
  feature: features,
  country,
  logoUrl,
  liveListening,
}: UpdateOptions): ApplicationChanges {
  if (name?.trim() === '') throw new CommandFailure('The name of an app cannot be empty.');
  return {
    name: name?.trim(),
    liveLimit,
    redirectOrigins,
    pageOrigins,
    features,
    country,
    logoUrl: logoUrl === '' ? null : logoUrl,
    liveListening: liveListening === undefined ? undefined : liveListening === 'on',
  };
}

/** Settings only: the secrets of an app belong to its clients. */
function presentSettings({
  appId,
  name,
  logoUrl,
  country,
  redirectOrigins,
  pageOrigins,
  features,
  liveListening,
  clients,
  createdAt,
}: UpdatedApplication) {
  return {
    app_id: appId,
    name,
    logo_url: logoUrl,
    country,
    redirect_origins: redirectOrigins,
    page_origins: pageOrigins,
    features,
    live_listening: liveListening,
    live_limit: clients[0]?.liveLimit ?? null,
    created_at: createdAt.toISOString(),
  };
}

/** The app id is derived from the name; a number makes it unique. */
async function create(
  options: CreateOptions,
  issue: (app: Parameters<typeof issueApplication>[1]) => Promise<IssuedApplication>,
): Promise<IssuedApplication> {
  const name = options.name.trim();
  if (name === '') throw new CommandFailure('The name of an app cannot be empty.');
  for (let number = 1; ; number += 1) {
    try {
      return await issue({
        appId: number === 1 ? slugOf(name) : `${slugOf(name)}-${number}`,
        name,
        liveLimit: options.liveLimit,
        redirectOrigins: options.redirectOrigin,
        pageOrigins: options.pageOrigin,
      });
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
    }
  }
}

function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-|-$/g, '');
  return slug === '' ? 'app' : slug;
}

function describe(issued: IssuedApplication): string {
  return `${sheet({
    app: `${issued.name} (${issued.appId})`,
    'sandbox client id': issued.sandbox.clientId,
    'sandbox client secret': issued.sandbox.clientSecret,
    'live client id': issued.live.clientId,
    'live client secret': issued.live.clientSecret,
  })}\n\nKeep the secrets: they are stored only as hashes and cannot be shown again.`;
}
