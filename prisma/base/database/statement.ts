/** A statement with its parameters, for `pool.query`. */
export interface Statement {
  text: string;
  values: unknown[];
}

/** Collects the parameters of a statement. */
export class Values {
  private readonly collected: unknown[] = [];

  /** @returns the placeholder of the parameter */
  add(value: unknown): string {
    this.collected.push(value);
    return `$${this.collected.length}`;
  }

  statement(text: string): Statement {
    return { text, values: this.collected };
  }
}
