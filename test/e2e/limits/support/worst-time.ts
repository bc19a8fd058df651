/** The longest time in ms that one request may block the event loop; longer on a slow machine. */
export const worstTime = (): number => Math.max(100, 15 * parsingMs());

/** Processor time for parsing 1 MB of JSON on this machine. */
function parsingMs(): number {
  const text = JSON.stringify(
    Array.from({ length: 20_000 }, (_, index) => ({
      id: `row ${index}`,
      amount: index,
      note: 'Corner Cafe',
    })),
  );
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    JSON.parse(text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}
