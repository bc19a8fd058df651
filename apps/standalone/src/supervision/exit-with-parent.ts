// Loaded before the entry of each supervised Node process. The channel to the supervisor closes
// when the supervisor exits in any way; the process then stops as on a request, with a time limit.
const LONGEST_STOP_MS = 15_000;

process.once('disconnect', () => {
  setTimeout(() => process.exit(1), LONGEST_STOP_MS).unref();
  process.kill(process.pid, 'SIGTERM');
});
