/** Characters of a chunk: a write for each row would cost more than the row. */
const CHUNK = 32_768;

/** The same text in larger fragments, but for the first, which leaves before anything else is read. */
export async function* inChunks(fragments: AsyncGenerator<string>): AsyncGenerator<string> {
  let chunk = '';
  let size = 0;
  for await (const fragment of fragments) {
    chunk += fragment;
    if (chunk.length < size) continue;
    yield chunk;
    chunk = '';
    size = CHUNK;
  }
  if (chunk !== '') yield chunk;
}
