const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const LEVELS = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal']);
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const MESSAGE = /^[a-z_]+(\.[a-z_]+)+$/;
const TRACE_ID = /^[0-9a-f]{32}$/;

/** The problem with one line of a process, by docs/operating/logs.md; null if there is none. */
export function problemOfLine(text) {
  let line;
  try {
    line = JSON.parse(text);
  } catch {
    return 'is not JSON';
  }
  if (line === null || typeof line !== 'object' || Array.isArray(line)) return 'is not an object';
  const repeated = repeatedKey(text);
  if (repeated !== null) return `has the key ${repeated} twice`;
  if (!LEVELS.has(line.level)) return 'has no known level';
  if (!TIME.test(line.time)) return 'has no time in ISO 8601';
  for (const key of ['service', 'version', 'build'])
    if (typeof line[key] !== 'string' || line[key] === '') return `has no ${key}`;
  if (!Number.isInteger(line.pid)) return 'has no pid';
  if (!MESSAGE.test(line.msg)) return 'has no constant message';
  if ('trace_id' in line && !TRACE_ID.test(line.trace_id)) return 'has no valid trace_id';
  if (line.err?.type === 'MaxListenersExceededWarning') return 'reports a leak of listeners';
  return null;
}

/**
 * Throws when a line is not what every line must be.
 * @param output of one process or several, complete lines
 * @param of whose it is
 */
export function checkLogLines(output, of) {
  const bad = output
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const problem = problemOfLine(line);
      return problem === null ? [] : [`  ${problem}: ${line}`];
    });
  if (bad.length > 0)
    throw new Error(`${bad.length} log lines of ${of} are wrong:\n${bad.slice(0, 5).join('\n')}`);
}

/**
 * The first key that one of the line's objects contains twice: `JSON.parse` keeps the last and
 * hides it.
 */
function repeatedKey(text) {
  const open = [];
  let last = '';
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      if (open.at(-1).has(last)) return JSON.parse(last);
      open.at(-1).add(last);
    }
    last = token;
  }
  return null;
}
