const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

export interface JsonSize {
  /** Nesting depth of objects and arrays. */
  depth: number;
  /** All values, including members and elements. */
  values: number;
  /** Members of the largest object. */
  members: number;
}

/** Measures JSON in its encoded form: input beyond a limit is never parsed. */
export function measureJson(bytes: Uint8Array): JsonSize {
  /** The number of colons per level, in the object currently open there. */
  const open: number[] = [];
  let level = 0;
  let depth = 0;
  let values = 1;
  let members = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) isText = !isText;
    else if (isText) {
      if (byte === BACKSLASH) at += 1;
    } else if (byte === COMMA) values += 1;
    else if (byte === COLON) {
      const count = (open[level] ?? 0) + 1;
      open[level] = count;
      if (count > members) members = count;
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      values += 1;
      level += 1;
      open[level] = 0;
      if (level > depth) depth = level;
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) level -= 1;
  }
  return { depth, values, members };
}
