// Loaded into a process by `--import`: measures the time for which its event loop is blocked. Time
// that the machine spends on other processes does not count: of each pause it uses the elapsed time
// or the processor time, whichever is less.
const EVERY_MS = 2;
let longestMs = 0;
let at = performance.now();
let used = process.cpuUsage();

setInterval(() => {
  const { user, system } = process.cpuUsage(used);
  longestMs = Math.max(
    longestMs,
    Math.min(performance.now() - at, (user + system) / 1_000) - EVERY_MS,
  );
  at = performance.now();
  used = process.cpuUsage();
}, EVERY_MS).unref();

process.on('message', (asked) => {
  if (asked !== 'longest') return;
  process.send?.({ longestMs });
  longestMs = 0;
});
