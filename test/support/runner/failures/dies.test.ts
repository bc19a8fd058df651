it('ends its process', async () => {
  process.kill(process.pid, 'SIGKILL');
  await new Promise(() => undefined);
});
