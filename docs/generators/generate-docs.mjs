import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from '../../tools/build.mjs';
import { pythonWith } from './python.mjs';
import { settingsTables } from './adapter-settings.mjs';
import { commandsPage } from './commands-page.mjs';
import { LEVELS, logLines } from './log-lines.mjs';
import { pythonClientFiles, REQUIREMENTS as PYTHON_GENERATOR } from './python-client.mjs';
import { productDiagram, runDiagram } from './refresh-diagram.mjs';
import { sessionDiagram } from './session-diagram.mjs';

const ROOT = new URL('../../', import.meta.url);

/** The generated files with their expected content. */
async function generatedFiles() {
  await build({ quiet: true, types: false });
  const { SETTING_GROUPS, SETTING_TABLE, settingsUsedBy } =
    await import('../../dist/apps/platform/src/config/settings-table.js');
  const { METRIC_GROUPS } = await import('../../dist/apps/platform/src/metrics/metric-table.js');
  const { LABELS } = await import('../../dist/apps/platform/src/metrics/label-table.js');
  const session = await import('../../dist/domain/session/session-transitions.js');
  const product = await import('../../dist/domain/refresh/product-transitions.js');
  const run = await import('../../dist/domain/refresh/run-transitions.js');
  const { WORKFLOWS } = await import('../../dist/workflows/workflow-list.contract.js');
  const { MANIFESTS } = await import('../../dist/providers/manifests.js');
  const commands = await import('../../dist/apps/operator/src/adapter-options.js');
  const { SCOPE_REACH } = await import('../../dist/domain/api/scopes.js');
  return {
    'docs/concepts/authentication.md': scopesPage(SCOPE_REACH),
    'docs/live/README.md': livePage(MANIFESTS),
    ...Object.fromEntries(MANIFESTS.map((manifest) => adapterPage(manifest, commands))),
    'docs/errors.md': await errorsPage(),
    'docs/operating/commands.md': await operatorCommandsPage(),
    'docs/operating/limits.md': await limitsPage(),
    'docs/operating/logs.md': logsPage(),
    'docs/operating/metrics.md': metricsPage(METRIC_GROUPS, LABELS),
    'docs/settings.md': settingsPage(SETTING_GROUPS),
    '.env.example': environmentExample(SETTING_GROUPS),
    'docker-compose.yml': composeFile(SETTING_TABLE, settingsUsedBy),
    'docs/openapi.json': await openApiFile(),
    'docs/operating/refreshes.md': refreshesPage(product, run),
    'docs/operating/upgrade.md': upgradePage(WORKFLOWS),
    'docs/operating/workflows.md': workflowsPage(session),
  };
}

/** The files whose content on disk differs. */
export async function outdatedFiles() {
  return Object.entries(await generatedFiles())
    .filter(([path, content]) => read(path) !== content)
    .map(([path]) => path);
}

/** The document of a service with the settings of the examples. */
async function openApiFile() {
  const { CONTROLLERS } = await import('../../dist/apps/api/src/server/api.module.js');
  const { routesOf } = await import('../../dist/apps/api/src/http/routes-of.js');
  const { buildDocument } = await import('../../dist/apps/api/src/openapi/build-document.js');
  const document = await buildDocument(CONTROLLERS.flatMap(routesOf), {
    baseUrl: 'http://127.0.0.1:4000',
    headerPrefix: 'service',
  });
  return `${JSON.stringify(document, null, 1)}\n`;
}

const settingsPage = (groups) => `# Settings

Every process reads its settings once, at start, from the environment. If any is missing or invalid, it refuses to start and
lists all of them. Durations are written \`250ms\`, \`30s\`, \`15m\`, \`6h\`, \`30d\`. An empty value counts as unset;
\`{NAME}\` in a default stands for the value of another setting. \`npm start\` needs no settings.

A setting marked **secret** may also come from a file: \`NAME_FILE\` is its path, as in \`MASTER_KEYS_FILE=/run/secrets/master_keys\`.
See [secrets in files](operating/deploy.md#secrets-in-files).

This page and \`.env.example\` are generated from \`apps/platform/src/config/settings-table.ts\` by \`npm run docs\`.
${Object.entries(groups)
  .map(
    ([group, settings]) => `
## ${group}

| Name | Default | Required by | Meaning |
|---|---|---|---|
${Object.entries(settings)
  .map(
    ([name, setting]) =>
      `| \`${name}\` | ${defaultCell(setting)} | ${setting.requiredBy.join(', ') || '–'} | ${setting.secret ? '**Secret.** ' : ''}${setting.meaning} |`,
  )
  .join('\n')}
`,
  )
  .join('')}`;

const defaultCell = ({ default: preset }) =>
  preset === undefined ? '–' : preset === '' ? 'empty' : `\`${preset}\``;

async function operatorCommandsPage() {
  const { addCommand } = await import('../../dist/clients/terminal/src/program.js');
  const { COMMANDS } = await import('../../dist/apps/operator/src/commands/command-groups.js');
  return commandsPage(COMMANDS, addCommand);
}

/** The catalog of docs/errors.md, from domain/errors/api-errors.ts. */
async function errorsPage() {
  const { API_ERRORS } = await import('../../dist/domain/errors/api-errors.js');
  const rows = Object.entries(API_ERRORS)
    .sort(([, a], [, b]) => a.status - b.status)
    .map(([code, { status, remedy }]) => `| ${status} | \`${code}\` | ${remedy} |\n`);
  return read('docs/errors.md')?.replace(
    MARKED_BLOCK,
    () => `\
| Status | \`error_code\` | Remedy |
|---|---|---|
${rows.join('')}`,
  );
}

/** The table of reads of docs/operating/limits.md, from the routes. */
async function limitsPage() {
  const { ALL_CONTROLLERS } = await import('../../dist/apps/api/src/server/api.module.js');
  const { tableOfReads } = await import('../../dist/apps/api/src/server/table-of-reads.js');
  return read('docs/operating/limits.md')?.replace(MARKED_BLOCK, () =>
    tableOfReads(ALL_CONTROLLERS),
  );
}

/** The table of docs/operating/logs.md, from the calls of the loggers. */
const logsPage = () =>
  read('docs/operating/logs.md')?.replace(
    MARKED_BLOCK,
    () => `\
| \`msg\` | Level | Process | Fields | Remark |
|---|---|---|---|---|
${logLines()
  .map(
    ({ message, levels, processes, fields, notes }) =>
      `| \`${message}\` | ${levels.length === LEVELS.length ? 'any' : levels.join(', ')} | ${processes.join(', ')} | ${listed(fields)} | ${notes.join(' ')} |\n`,
  )
  .join('')}`,
  );

/** docs/operating/metrics.md, from the tables of apps/platform/src/metrics. */
const metricsPage = (groups, labels) => `# Metrics

Each process shows its metrics for Prometheus at \`GET /metrics\` of its operator port: the API at \`METRICS_PORT\`, the worker at
\`WORKER_METRICS_PORT\`, the webhooks process at \`WEBHOOKS_METRICS_PORT\`, all on \`METRICS_HOST\`. [Monitoring](monitoring.md) has
the alerts and their remedies.

- Every worker shows the same gauges of the database: use \`max\` over them, and \`sum\` over counters. They are read at most every 15 s,
  those of quotas and catalogs every 5 minutes. If a reading fails, its gauges are missing and
  \`tributary_gauge_readings_failed_total\` rises; the other metrics remain.
- Counters begin at 0 with each process.
- Names that end in \`_timestamp_seconds\`, \`process_start_time_seconds\` and \`tributary_provider_credentials_end_seconds\` are points in
  time: compare them with \`time()\`. Other seconds are durations.
- The worker shows the metrics of the Temporal SDK (\`temporal_…\`: slots, polls, latencies of tasks) on a port of their own when
  \`WORKER_SDK_METRICS_PORT\` is set. Temporal documents them in its
  [SDK metrics reference](https://docs.temporal.io/references/sdk-metrics).

This page is generated from \`apps/platform/src/metrics/\` by \`npm run docs\`. A test compares it with the output of the processes.
${Object.entries(groups)
  .map(
    ([question, metrics]) => `
## ${question}

| Name | Type | Labels | Processes | Meaning |
|---|---|---|---|---|
${Object.entries(metrics)
  .map(
    ([name, { type, labels: names, processes, help }]) =>
      `| \`${name}\` | ${type} | ${listed(names)} | ${processes.join(', ')} | ${help} |`,
  )
  .join('\n')}
`,
  )
  .join('')}
## Labels

No label holds an id of a customer's data, an address or free text. \`institution\` names entries of the public catalog.

| Label | Values |
|---|---|
${Object.entries(labels)
  .map(([name, { values }]) => `| \`${name}\` | ${values} |`)
  .join('\n')}
`;

const listed = (names) => names.map((name) => `\`${name}\``).join(', ') || '–';

const environmentExample = (
  groups,
) => `# Settings of single processes, and of docker compose, which fills in the addresses itself and has its secrets in files:
# see docs/operating/deploy.md. Meaning of each: docs/settings.md. A line with # shows the default. Generated by: npm run docs
${Object.entries(groups)
  .map(
    ([group, settings]) => `
# ---- ${group}
${Object.entries(settings)
  .map(([name, setting]) =>
    setting.requiredBy.length > 0 ? `${name}=` : `#${name}=${setting.default ?? ''}`,
  )
  .join('\n')}
`,
  )
  .join('')}`;

const MARKED_BLOCK = /(?<=<!-- generated by npm run docs -->\n)[^]*?(?=<!-- end -->)/;

/** The table of adapters, from their manifests and from the results of the conformance suite. */
const livePage = (manifests) =>
  read('docs/live/README.md')?.replace(
    MARKED_BLOCK,
    () => `\
| Adapter | Reaches | What you need | Proof |
|---|---|---|---|
${manifests
  .map(
    ({ name, reaches, needs }) =>
      `| [\`${name}\`](${name}.md) | ${reaches} | ${needs} | ${proofOf(name)} |\n`,
  )
  .join('')}`,
  );

const scopesPage = (reach) =>
  read('docs/concepts/authentication.md')?.replace(
    MARKED_BLOCK,
    () => `\
| Scope | Reach |
|---|---|
${Object.entries(reach)
  .map(([scope, text]) => `| \`${scope}\` | ${text} |\n`)
  .join('')}`,
  );

/** The page of an adapter, with its settings. */
const adapterPage = ({ name, settings }, commands) => [
  `docs/live/${name}.md`,
  read(`docs/live/${name}.md`)?.replace(MARKED_BLOCK, () => settingsTables(settings, commands)),
];

function proofOf(adapter) {
  const [, first = ''] = /^\*\*(.+)\.\*\*/m.exec(read(`providers/${adapter}/PROOF.md`) ?? '') ?? [];
  return `${first.charAt(0).toLowerCase()}${first.slice(1)}`;
}

const COMPOSE_BLOCK = /(?<=# ---- generated by npm run docs\n)[^]*?(?=# ---- end)/;

/** A name without a value is taken from .env: so each process gets only its settings, and secrets as files. */
function composeFile(table, usedBy) {
  const settingsUsedBy = (process) => [
    ...new Set(usedBy(process).map((name) => (table[name].secret ? `${name}_FILE` : name))),
  ];
  const others = ['worker', 'operator'].map(settingsUsedBy);
  const shared = settingsUsedBy('api').filter((name) =>
    others.every((names) => names.includes(name)),
  );
  const webhooks = settingsUsedBy('webhooks');
  const core = shared.filter((name) => webhooks.includes(name));
  const temporal = shared.filter((name) => !webhooks.includes(name));
  const list = (names) => names.map((name) => `  ${name}:\n`).join('');
  return read('docker-compose.yml')?.replace(
    COMPOSE_BLOCK,
    `\
x-core-settings: &core-settings
${list(core)}
# For the processes that reach Temporal: all of these except the webhooks process.
x-temporal-settings: &temporal-settings
${list(temporal)}
x-console-settings: &console-settings
${list(settingsUsedBy('console').filter((name) => !shared.includes(name)))}
x-sandbox-bank-settings: &sandbox-bank-settings
${list(settingsUsedBy('sandbox-bank'))}`,
  );
}

/** docs/operating/workflows.md, with the phases of a session. */
function workflowsPage(session) {
  return read('docs/operating/workflows.md')?.replace(
    MARKED_BLOCK,
    mermaid(sessionDiagram(session)),
  );
}

/** docs/operating/upgrade.md, with the behavior of each workflow under versioning. */
function upgradePage(workflows) {
  const rows = workflows.map(
    ({ type, versioning: { behavior, reason } }) => `| \`${type}\` | \`${behavior}\` | ${reason} |`,
  );
  return read('docs/operating/upgrade.md')?.replace(
    MARKED_BLOCK,
    `| Workflow | Behavior | Because |\n|---|---|---|\n${rows.join('\n')}\n`,
  );
}

/** docs/operating/refreshes.md, with the phases of a run and of its products. */
function refreshesPage(product, run) {
  return read('docs/operating/refreshes.md')?.replace(
    MARKED_BLOCK,
    mermaid(runDiagram(run)) + mermaid(productDiagram(product)).trimStart(),
  );
}

const mermaid = (diagram) => `\n\`\`\`mermaid\n${diagram}\n\`\`\`\n\n`;

function read(path) {
  try {
    return readFileSync(new URL(path, ROOT), 'utf8');
  } catch {
    return undefined;
  }
}

/** Modules of the Python client. A test compares them, because `npm run check` works without Python. */
function pythonModules(document) {
  const python = pythonWith(PYTHON_GENERATOR, {
    modules: 'datamodel_code_generator',
    minVersion: [3, 11],
  });
  if ('path' in python) return pythonClientFiles(python.path, JSON.parse(document));
  process.stderr.write(`The modules of clients/python stay as they are: ${python.missing}\n`);
  return {};
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = await generatedFiles();
  const modules = pythonModules(files['docs/openapi.json']);
  for (const [path, content] of Object.entries({ ...files, ...modules }))
    writeFileSync(new URL(path, ROOT), content);
}
