/** The first items of a list; further pages are not requested. */
export async function* limited<Item>(
  items: AsyncIterable<Item>,
  limit: number,
): AsyncGenerator<Item, void, undefined> {
  let left = limit;
  if (left <= 0) return;
  for await (const item of items) {
    yield item;
    left -= 1;
    if (left === 0) return;
  }
}
