import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** Folders whose lines are not for operators of the service. */
const NOT_OPERATED = /^(simulators\/vendors|apps\/(connect|console|standalone\/src\/demo))\//;
/** The folder of each process. */
const FOLDERS = {
  api: 'apps/api/src',
  worker: 'apps/worker/src',
  webhooks: 'apps/webhooks/src',
  operator: 'apps/operator/src',
  console: 'apps/console-server/src',
  standalone: 'apps/standalone/src',
  'sandbox-bank': 'simulators/sandbox-bank',
};
const PROCESSES = Object.keys(FOLDERS);
export const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];
const LOGGER = /\b(logger|log|createProcessLogger\(.*\))$/is;

/**
 * Every line that the processes log, from the calls of their loggers: one row for each message, in the
 * order of their names.
 */
export function logLines() {
  const files = ['apps', 'simulators']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
    )
    .filter((file) => /\.tsx?$/.test(file) && !NOT_OPERATED.test(file))
    .sort();
  const reached = new Map(PROCESSES.map((name) => [name, filesOf(`${FOLDERS[name]}/main.ts`)]));
  const rows = new Map();
  for (const file of files) {
    const processes = PROCESSES.filter(
      (name) => file.startsWith(`${FOLDERS[name]}/`) || reached.get(name).has(file),
    );
    for (const { message, levels, fields, note } of logCallsOf(file, readFileSync(file, 'utf8'))) {
      const row = rows.get(message) ?? {
        message,
        processes: [],
        levels: [],
        fields: [],
        notes: [],
      };
      rows.set(message, {
        message,
        processes: PROCESSES.filter((name) => [...row.processes, ...processes].includes(name)),
        levels: LEVELS.filter((level) => [...row.levels, ...levels].includes(level)),
        fields: [...new Set([...row.fields, ...fields])],
        notes: note === null ? row.notes : [...row.notes, note],
      });
    }
  }
  return [...rows.values()].sort((one, other) => (one.message < other.message ? -1 : 1));
}

/**
 * The calls of loggers in a source. Fields that it does not name itself are shown as `…`. A comment
 * above a call that begins with `Log:` is its note.
 * @throws Error for a message that is not constant
 */
export function logCallsOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const calls = [];
  const visit = (node) => {
    if (ts.isCallExpression(node)) {
      const levels = levelsOf(node.expression);
      const last = node.arguments.at(-1);
      if (levels.length > 0 && !isForeign(last)) {
        const message = messageOf(last);
        if (message === null)
          throw new Error(`${file} logs a message that is not constant: ${node.getText()}`);
        const fields = node.arguments.length < 2 ? [] : fieldsOf(node.arguments[0], source);
        calls.push({ message, levels, fields, note: noteOn(node, text) });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return calls;
}

/** A message that a function passes on for its caller, or a call of Temporal's own logger, whose first argument is the message. */
const isForeign = (last) =>
  last === undefined || ts.isIdentifier(last) || ts.isObjectLiteralExpression(last);

/** Levels of a call; none = it is not a call of a logger. */
function levelsOf(callee) {
  if (ts.isPropertyAccessExpression(callee)) {
    // The logger of a command writes lines of one level.
    if (callee.getText() === 'shell.log') return ['info'];
    const isLogger = LOGGER.test(callee.expression.getText());
    return isLogger && LEVELS.includes(callee.name.text) ? [callee.name.text] : [];
  }
  if (!ts.isElementAccessExpression(callee) || !LOGGER.test(callee.expression.getText())) return [];
  const named = [...callee.argumentExpression.getText().matchAll(/'(\w+)'/g)]
    .map(([, level]) => level)
    .filter((level) => LEVELS.includes(level));
  return named.length > 0 ? named : LEVELS;
}

/** The name of a process stands as `PROCESS`. */
function messageOf(argument) {
  const text = ts.isStringLiteralLike(argument)
    ? argument.text
    : argument.getText().replace(/^`\$\{\w+\}\.(\w+)`$/, 'PROCESS.$1');
  return /^[A-Za-z_]+\.[a-z_]+$/.test(text) ? text : null;
}

function fieldsOf(node, source) {
  if (ts.isObjectLiteralExpression(node))
    return node.properties.flatMap((property) =>
      ts.isSpreadAssignment(property)
        ? fieldsOf(property.expression, source)
        : property.name === undefined
          ? ['…']
          : [property.name.getText()],
    );
  if (ts.isParenthesizedExpression(node)) return fieldsOf(node.expression, source);
  if (ts.isConditionalExpression(node))
    return [...fieldsOf(node.whenTrue, source), ...fieldsOf(node.whenFalse, source)];
  if (!ts.isIdentifier(node)) return ['…'];
  const declared = declarationsOf(node.text, source);
  return declared.length === 0 ? ['…'] : declared.flatMap((object) => fieldsOf(object, source));
}

/** Objects of this name in the same file. */
function declarationsOf(name, source) {
  const found = [];
  const visit = (node) => {
    if (
      ts.isVariableDeclaration(node) &&
      node.name.getText() === name &&
      node.initializer !== undefined &&
      ts.isObjectLiteralExpression(node.initializer)
    )
      found.push(node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function noteOn(node, text) {
  let statement = node;
  while (
    statement.parent !== undefined &&
    !ts.isStatement(statement) &&
    !ts.isPropertyAssignment(statement)
  )
    statement = statement.parent;
  // `if (…) logger.warn(…)`: the comment is above the condition.
  while (ts.isIfStatement(statement.parent ?? node)) statement = statement.parent;
  const comment = (ts.getLeadingCommentRanges(text, statement.getFullStart()) ?? [])
    .map(({ pos, end }) => text.slice(pos, end).replace(/^\/\/ ?/, ''))
    .join(' ');
  const [, note = null] = /\bLog: (.*)$/.exec(comment) ?? [];
  return note;
}

/** The files of `apps/` that a process may load. */
function filesOf(entry) {
  const found = new Set();
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file) || !file.startsWith('apps/') || !existsSync(file)) continue;
    found.add(file);
    for (const [, from, deferred = from] of readFileSync(file, 'utf8').matchAll(IMPORT))
      open.push(join(dirname(file), deferred).replace(/\.js$/, '.ts'));
  }
  return found;
}

/** Of values, by `import`, `export … from` and `import()`. */
const IMPORT = /^(?:import|export) (?!type )[^;]*?from '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm;
