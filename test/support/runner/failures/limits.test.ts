jest.setTimeout(50);

beforeAll(() => new Promise(() => undefined));

it('is not run after a hook that hangs', () => undefined);
