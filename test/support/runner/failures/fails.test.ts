it('leaves a rejection', () => void Promise.reject(new Error('lost')));

it('hangs', () => new Promise(() => undefined), 50);

it('leaves a spy and fake timers', () => {
  jest.spyOn(Math, 'random').mockReturnValue(2);
  jest.useFakeTimers();
});

it('passes: it sees neither', async () => {
  expect(Math.random()).toBeLessThan(1);
  await new Promise((resolve) => setTimeout(resolve, 1));
});

describe('a group', () => {
  beforeAll(() => {
    throw new Error('no set-up');
  });

  it('is not run without its set-up', () => undefined);
});

describe.skip('a skipped group', () => {
  it('is counted', () => undefined);
});
