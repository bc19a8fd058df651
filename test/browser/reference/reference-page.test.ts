import { describeReference, WIDE } from './support/reference-page.js';

// reference-page.long.test.ts has its layout, axe and the keyboard.
describeReference(({ address, newPage }) => {
  it('requests nothing but itself and is not hindered by its policy', async () => {
    const page = await newPage(WIDE);
    const [requests, complaints]: [string[], string[]] = [[], []];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(address());
    expect(requests.filter((path) => path !== '/favicon.ico')).toEqual(['/docs']);
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
  });
});
