interface Place<Item> {
  item: Item;
  /** −1 = taken out. */
  at: number;
}

/**
 * Items that come and go by the hundred a second, in no order. A `Set` (or `Map`) would do, were it not for V8: each table
 * that it outgrows or fills with deleted entries refers to the next one, so from the first table that grew old everything
 * it ever held stays until a full collection, and every small one copies it. Measured: docs/performance.md, "Webhooks".
 */
export class Bag<Item> {
  private readonly places: Place<Item>[] = [];

  get size(): number {
    return this.places.length;
  }

  /** Those in it now. */
  get items(): Item[] {
    return this.places.map(({ item }) => item);
  }

  /** @returns a function that takes the item out, once */
  add(item: Item): () => void {
    const place = { item, at: this.places.length };
    this.places.push(place);
    return () => this.takeOut(place);
  }

  private takeOut(place: Place<Item>): void {
    if (place.at === -1) return;
    const last = this.places.pop();
    if (last !== undefined && last !== place) {
      this.places[place.at] = last;
      last.at = place.at;
    }
    place.at = -1;
  }
}
