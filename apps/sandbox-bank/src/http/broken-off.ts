/** The response has a success status and a body that cannot be parsed. */
export class BrokenOff extends Error {
  constructor() {
    super('The answer breaks off.');
    this.name = 'BrokenOff';
  }
}

export const BROKEN_ANSWER = '{"accounts":[{"account_id":"';
