/**
 * Names for the connections of a user. A finance app shows them, and some apps attribute a message to
 * every account whose institution it names, so two logins at one bank need two names.
 */
export class ConnectionNames {
  private readonly given = new Set<string>();

  /** The name of the bank, with a number from the second connection of this name on. */
  next(bank: string): string {
    let name = bank;
    for (let number = 2; this.given.has(name); number += 1) name = `${bank} (${number})`;
    this.given.add(name);
    return name;
  }
}
