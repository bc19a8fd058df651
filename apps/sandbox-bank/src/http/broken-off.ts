/** The answer is to arrive, with a status of success, in a form nobody understands. */
export class BrokenOff extends Error {
  constructor() {
    super('The answer breaks off.');
    this.name = 'BrokenOff';
  }
}

export const BROKEN_ANSWER = '{"accounts":[{"account_id":"';
