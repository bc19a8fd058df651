import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { check } from 'recheck';
import ts from 'typescript';
import { filesBelow } from './cache.mjs';
import { ROOT } from './process.mjs';

/** What a running service, its packages and its examples consist of: their texts are written by others. */
const FOLDERS = [
  'domain',
  'providers',
  'prisma',
  'activities',
  'workflows',
  'simulators',
  'apps',
  'packages',
  'clients',
  'deploy',
  'examples',
];
const SOURCE = /\.[cm]?[jt]sx?$/;
const NO_SOURCE = /(^|\/)(dist|generated|test|node_modules)\//;

/** Expressions that are put together while the program runs, by file, with the reason that they are linear. */
const BUILT = {
  'apps/api/src/http/paths.ts': 'the paths of routes, with one class up to the next slash',
  'apps/api/src/openapi/models/values.model.ts': 'a prefix and a fixed number of characters',
  'apps/api/src/openapi/models/webhook-event.model.ts': 'the same',
  'apps/api/src/webhook-listeners/webhook-listeners.requests.ts': 'names of events',
  'apps/operator/src/commands/recover-command.ts': 'a prefix and a fixed number of characters',
  'apps/connect/src/screens/login/check-fields.ts': 'of an adapter, for values of max_length',
  'domain/session/check-step-input.ts': 'of an adapter, for values of max_length',
  'apps/platform/src/temporal/namespace-state.ts': 'the name of a service of Temporal',
  'simulators/vendors/ledger/scripts/misbehaviors.ts': 'of a test, for paths of its own',
  'deploy/image/prune-modules.mjs': 'file names of a package',
  'domain/transactions/tagged-remittance.ts': 'names between fixed characters',
};

const KNOWN = join(ROOT, 'node_modules/.cache/tributary/linear-expressions.json');
/** On a loaded machine, too, the analysis ends with the same finding: its steps are counted, not timed. */
const PARAMETERS = {
  timeout: 300_000,
  seedingTimeout: null,
  incubationTimeout: null,
  attackTimeout: null,
};

/**
 * Every regular expression takes time in proportion to its text. Those that were found linear before
 * are not analyzed again.
 * @returns what is wrong, or nothing
 */
export async function checkExpressions() {
  const files = FOLDERS.flatMap(filesBelow).filter(
    (path) => SOURCE.test(path) && !NO_SOURCE.test(path),
  );
  const { literals, built } = findExpressions(
    files.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') })),
  );
  const { version } = JSON.parse(
    readFileSync(join(ROOT, 'node_modules/recheck/package.json'), 'utf8'),
  );
  const known = readKnown(version);
  const slow = await slowOnes(literals.filter(({ literal }) => !known.has(literal)));
  const linear = literals
    .map(({ literal }) => literal)
    .filter((literal) => !slow.some((one) => one.literal === literal));
  mkdirSync(dirname(KNOWN), { recursive: true });
  writeFileSync(KNOWN, JSON.stringify({ version, linear: [...new Set(linear)] }));
  const problems = [...slow.map(({ problem }) => problem), ...builtProblems(built)];
  return problems.length > 0 ? problems.join('\n') : undefined;
}

/** The expressions of source files: literals, and the places of those that are built from other values. */
export function findExpressions(files) {
  const literals = [];
  const built = [];
  for (const { path, text } of files) {
    const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const visit = (node) => {
      const line = () =>
        `${path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
      if (ts.isRegularExpressionLiteral(node)) literals.push({ literal: node.text, at: line() });
      const isBuilt =
        (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
        node.expression.getText() === 'RegExp';
      if (isBuilt) built.push({ path, at: line() });
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { literals, built };
}

/** Those of the literals that may take more than linear time, each with a `problem`. */
export async function slowOnes(literals) {
  const slow = [];
  // One that stands in several files is analyzed once.
  for (const { literal, at } of new Map(literals.map((one) => [one.literal, one])).values()) {
    const end = literal.lastIndexOf('/');
    const found = await check(literal.slice(1, end), literal.slice(end + 1), PARAMETERS);
    if (found.status === 'safe') continue;
    const why =
      found.status === 'vulnerable'
        ? `takes ${found.complexity.summary} time, such as for ${found.attack.pattern}`
        : `cannot be analyzed (${found.error.kind})`;
    slow.push({ literal, problem: `${at}: ${literal} ${why}` });
  }
  return slow;
}

function builtProblems(built) {
  const stale = Object.keys(BUILT).filter((path) => !built.some((one) => one.path === path));
  return [
    ...built
      .filter(({ path }) => !Object.hasOwn(BUILT, path))
      .map(({ at }) => `${at}: state in tools/check-expressions.mjs why this is linear`),
    ...stale.map((path) => `tools/check-expressions.mjs names ${path}, which builds no expression`),
  ];
}

function readKnown(version) {
  try {
    const known = JSON.parse(readFileSync(KNOWN, 'utf8'));
    return new Set(known.version === version ? known.linear : []);
  } catch {
    return new Set();
  }
}
