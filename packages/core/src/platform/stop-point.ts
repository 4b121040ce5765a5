/**
 * Named stop points (test builds only): a process kills itself, freezes or waits exactly where a test wants it.
 * HOLDFAST_STOP_AT=<point>:<kill|freeze|wait-ms>[:<after how many passes>]
 */
import { setTimeout as sleep } from 'node:timers/promises';

const FORM = /^(?<point>[a-z.-]+):(?<action>kill|freeze|wait-\d+)(?::(?<passes>\d+))?$/;

/**
 * @param text the variable's value; undefined means no stop point.
 * @throws on a value it does not understand, and in production whatever the value.
 */
export function stopPoint(profile: string, text: string | undefined): ((point: string) => Promise<void>) | undefined {
  if (text === undefined || text === '') return undefined;
  if (profile !== 'test') throw new Error('stop points exist in test builds only');
  const { point: wanted, action = '', passes } = FORM.exec(text)?.groups ?? {};
  if (!wanted) throw new Error(`HOLDFAST_STOP_AT: cannot read "${text}"`);
  let left = Number(passes ?? 0);
  return async (point) => {
    if (point !== wanted || left-- > 0) return;
    if (action === 'kill') process.kill(process.pid, 'SIGKILL');
    else if (action === 'freeze') process.kill(process.pid, 'SIGSTOP');
    else await sleep(Number(action.slice('wait-'.length)));
  };
}
