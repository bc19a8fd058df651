/** A pipe accepts this many bytes atomically (PIPE_BUF): longer lines of processes that share it would be mixed. */
const MAX_LINE_BYTES = 4_096;
/** Longer than ids, names and moments; a stack keeps its first frames. */
const MAX_TEXT = 300;

/** The line unchanged, or, when it is too long for a pipe, with its long texts cut and `shortened`. */
export function limitLine(line: string): string {
  if (Buffer.byteLength(line) <= MAX_LINE_BYTES) return line;
  const fields = JSON.parse(line) as Record<string, unknown>;
  const cut = asLine({ ...fields, shortened: true }, shorten);
  if (Buffer.byteLength(cut) <= MAX_LINE_BYTES) return cut;
  const { level, time, service, version, build, pid, trace_id, msg } = fields;
  return asLine({ level, time, service, version, build, pid, trace_id, shortened: true, msg });
}

const asLine = (fields: object, replace?: (key: string, value: unknown) => unknown): string =>
  `${JSON.stringify(fields, replace)}\n`;

const shorten = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;
