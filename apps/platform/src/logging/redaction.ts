const REDACTED = '[redacted]';
const MAX_DEPTH = 4;

/**
 * Text is logged only under a name that is known to be free of private data. Numbers, booleans and null always pass: durations,
 * counts, statuses. A new text field is therefore redacted until its name is added here. The list is not derived from the calls
 * of loggers, as docs/operating/logs.md is: it decides which of their fields may be read, and covers objects of others.
 */
const TEXT_FIELDS = new Set([
  'name',
  'version',
  'state',
  'status',
  'mode',
  'kind',
  'stage',
  'step',
  'event',
  'event_type',
  'webhook_event',
  'product',
  'products',
  'provider',
  'environment',
  'country',
  'operation',
  'outcome',
  'reason',
  'cause',
  'remedy',
  'method',
  'route',
  'path',
  'host',
  'origin',
  'address',
  'url',
  'control_url',
  'folder',
  'file',
  'part',
  'process',
  'signal',
  'build_id',
  'queue',
  'task',
  'task_queue',
  'namespace',
  'workflow',
  'workflow_type',
  'activity',
  'activity_type',
  'schedule',
  'migration',
  'migrations',
  'command',
  'context',
  'text',
  'error_code',
  'error_name',
  'code',
  'error_type',
  'setting',
  'settings',
  'ways',
  'sdk_component',
  'level',
  'from',
  'to',
  'kid',
  'message',
  'type',
  'stack',
  'action',
  // Fields of an operator's command: the actor and the arguments, never settings or secrets.
  'actor',
  'subject',
  'field',
  'scope',
  'sql_state',
  'shard',
  'institution',
  'db_statement_name',
  'missing',
  'unit',
  'format',
]);
const TEXT_SUFFIXES = /_(id|ids|at|state|status|kind|name|names|version|reason|port|code|type)$/;
/** Takes precedence over the lists above. */
const SECRET_NAME =
  /secret|token|password|passwd|passphrase|authorization|cookie|credential|private|signature|answer|otp|body|cursor|account_number|key(?!_id)|ssn|email|phone/i;

const SECRET_SHAPES: readonly (readonly [RegExp, string])[] = [
  [/\b(sandbox|live)_(ls|xt|ct|at|cs)_[A-Za-z0-9_-]+/g, `$1_$2_${REDACTED}`],
  [/\b(link|public|access)-(sandbox|production)-[0-9a-f-]+/g, `$1-$2-${REDACTED}`],
  [/(?<![\w-])(?=[\w-]*?\beyJ)[\w-]+\.[\w-]+\.[\w-]*/g, REDACTED],
  [/\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]+/gi, `$1 ${REDACTED}`],
  [/(:\/\/[^\s/:@]*):[^\s/@]+@/g, `$1:${REDACTED}@`],
  [
    /([?&#](?:token|code|state|client_secret|password|oauth_state_id)=)[^&\s"']+/gi,
    `$1${REDACTED}`,
  ],
  // One without an end is cut off.
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, REDACTED],
];

/** A quick test for any of the patterns above: it runs for every field of every line, and most text matches none. */
const MAY_HOLD_A_SECRET =
  /(?:sandbox|live)_|(?:link|public|access)-|eyj|bearer|basic|:\/\/|[?&#]|-----/i;

/** Removes secret-like parts from free text, such as the message of an error. */
export const redactText = (value: string): string =>
  MAY_HOLD_A_SECRET.test(value)
    ? SECRET_SHAPES.reduce(
        (text, [shape, replacement]) => text.replaceAll(shape, replacement),
        value,
      )
    : value;

/** The loggable form of an object: every value not known to be harmless becomes `[redacted]`. */
export function redactFields(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, redactField(name, value, 1)]),
  );
}

function redactField(name: string, value: unknown, depth: number): unknown {
  if (value === null || value === undefined || typeof value === 'boolean') return value;
  const meaning = meaningOf(name);
  if (meaning === 'secret') return REDACTED;
  if (typeof value === 'number' || typeof value === 'bigint')
    return typeof value === 'bigint' ? value.toString() : value;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Error) return redactError(value, depth);
  if (typeof value === 'string') return meaning === 'text' ? redactText(value) : REDACTED;
  if (depth >= MAX_DEPTH || typeof value !== 'object') return REDACTED;
  if (Array.isArray(value))
    return value.map((entry: unknown) => redactField(name, entry, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([inner, entry]) => [inner, redactField(inner, entry, depth + 1)]),
  );
}

function redactError(error: Error, depth: number): Record<string, unknown> {
  return {
    type: error.name,
    message: redactText(error.message),
    stack: redactText(error.stack ?? ''),
    ...('code' in error && typeof error.code === 'string' ? { code: redactText(error.code) } : {}),
    ...(error.cause instanceof Error && depth < MAX_DEPTH
      ? { cause: redactError(error.cause, depth + 1) }
      : {}),
  };
}

type Meaning = 'secret' | 'text' | 'unknown';

/** Size of the cache: field names are constants of the sources, except those of foreign objects. */
const MAX_CACHED_MEANINGS = 1_000;
const meanings = new Map<string, Meaning>();

function meaningOf(name: string): Meaning {
  const known = meanings.get(name);
  if (known !== undefined) return known;
  const isText = TEXT_FIELDS.has(name) || TEXT_SUFFIXES.test(name);
  const meaning = SECRET_NAME.test(name) ? 'secret' : isText ? 'text' : 'unknown';
  if (meanings.size < MAX_CACHED_MEANINGS) meanings.set(name, meaning);
  return meaning;
}
