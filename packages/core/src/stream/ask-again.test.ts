import kafkajs from 'kafkajs';
import { expect, test } from 'vitest';
import { askAgain } from './ask-again.ts';

const notCoordinator = () =>
  new kafkajs.KafkaJSProtocolError(
    Object.assign(new Error('This is not the correct coordinator for this group'), {
      type: 'NOT_COORDINATOR_FOR_GROUP',
      code: 16,
      retriable: true,
    }),
  );
/** Answers with each of these in turn, then with `ok`. */
function answering(...errors: Error[]) {
  let calls = 0;
  return {
    ask: () => {
      const error = errors[calls++];
      return error ? Promise.reject(error) : Promise.resolve('ok');
    },
    calls: () => calls,
  };
}

test('a broker that does not have the group yet is asked again until it has', async () => {
  const broker = answering(notCoordinator(), notCoordinator(), notCoordinator());
  expect(await askAgain(broker.ask, 1)).toBe('ok');
  expect(broker.calls()).toBe(4);
});

test('it is not asked for ever, and a lasting answer is taken at once', async () => {
  const never = answering(...Array.from({ length: 20 }, notCoordinator));
  await expect(askAgain(never.ask, 0)).rejects.toThrow('not the correct coordinator');
  expect(never.calls()).toBe(10);
  for (const error of [new kafkajs.KafkaJSNonRetriableError('no such group'), new TypeError('a defect')]) {
    const lasting = answering(error);
    await expect(askAgain(lasting.ask)).rejects.toThrow(error.message);
    expect(lasting.calls()).toBe(1);
  }
});
