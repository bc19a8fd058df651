const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * How deep JSON is nested and how many values it holds, counted in its bytes: what exceeds a limit is
 * never parsed.
 */
export function measureJson(bytes: Uint8Array): { depth: number; values: number } {
  let level = 0;
  let depth = 0;
  let values = 1;
  let isText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) isText = !isText;
    else if (isText) {
      if (byte === BACKSLASH) at += 1;
    } else if (byte === COMMA) values += 1;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      values += 1;
      level += 1;
      if (level > depth) depth = level;
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) level -= 1;
  }
  return { depth, values };
}
