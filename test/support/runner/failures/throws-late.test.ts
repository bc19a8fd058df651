it('throws outside of its promise', async () => {
  setImmediate(() => {
    throw new Error('late');
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
});

afterAll(() => void Promise.reject(new Error('after the last test')));
