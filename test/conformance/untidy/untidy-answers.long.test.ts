import { SUBJECTS } from '../targets.js';
import { describeUntidyAnswers } from './describe-untidy-answers.js';

for (const [name, { logins, start }] of Object.entries(SUBJECTS)) {
  describe(`provider ${name}, with every value of its answers untidy in every way`, () => {
    const running = { target: undefined as Awaited<ReturnType<typeof start>> | undefined };
    beforeAll(async () => {
      running.target = await start();
    });
    afterAll(async () => {
      await running.target?.close();
    });

    describeUntidyAnswers(
      name,
      logins,
      () => {
        if (running.target === undefined) throw new Error('the target did not start');
        return running.target;
      },
      'all',
    );
  });
}
