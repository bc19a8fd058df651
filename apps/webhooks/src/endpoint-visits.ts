export interface EndpointVisitsOptions {
  /** All endpoints are visited at least this often, whatever was told: notifications can be lost. */
  everywhereEveryMs: number;
  /** Milliseconds, rising. */
  now: () => number;
}

/** What is told of more than these is looked for everywhere. */
const MOST_TOLD = 256;

/** Which endpoints the next claim visits: those that were told of, which costs half as much as finding them, or all that have something. */
export class EndpointVisits {
  /** No Set: it would outlive many that go in and out of it (`Bag`). */
  private told: string[] = [];
  private anywhere = true;
  private everywhereAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: EndpointVisitsOptions) {}

  /** There is something to do at this endpoint; without one, anywhere. */
  tell(endpoint = ''): void {
    if (endpoint === '' || this.told.length === MOST_TOLD) this.anywhere = true;
    else this.told.push(endpoint);
  }

  /**
   * @param resting endpoints to be left alone; they are visited when whoever leaves them alone says so
   * @param fromTheFirst whether a visit everywhere would begin with the first endpoint, and so be at all that were told of
   * @returns undefined: everywhere
   */
  next(resting: readonly string[], fromTheFirst: boolean): string[] | undefined {
    const { now, everywhereEveryMs } = this.options;
    const told = [...new Set(this.told)];
    if (this.anywhere || told.length === 0 || now() - this.everywhereAt >= everywhereEveryMs) {
      this.anywhere = false;
      this.everywhereAt = now();
      if (fromTheFirst) this.told = [];
      return undefined;
    }
    this.told = [];
    return told.filter((endpoint) => !resting.includes(endpoint));
  }
}
