/**
 * Is the server behind this very connection the one the epoch was opened on? Asked once a connection (P9). One that
 * leads elsewhere may just be old: after a failover connections to the former primary can live on. So it is opened
 * anew first, and only when the new one leads elsewhere too is the gate reported closed (P21).
 */
import type { Redis } from '../platform/index.ts';
import type { GateEpoch } from './epoch.ts';
import { readIdentity, type ServerIdentity, sameIdentity } from './identity.ts';

export interface ConnectionVerifier {
  /**
   * True: yes, and until the caller next waits for anything but this, the connection is still that one.
   * @throws what the connection throws
   */
  verify(life: GateEpoch): Promise<boolean>;
  /** The server said something that only another role or life would say: ask again. */
  forget(): void;
}

export function createVerifier(redis: Redis, onOther: (life: GateEpoch) => Promise<void>): ConnectionVerifier {
  let connection = 0;
  let verified: { connection: number; epoch: number } | undefined;
  /** The epoch whose server an earlier connection did not show. */
  let doubted: number | undefined;
  let asking: { connection: number; answer: Promise<ServerIdentity | 'no primary'> } | undefined;
  // One question a connection, however many commands wait for its answer.
  const ask = () => {
    if (asking?.connection !== connection) {
      const answer = readIdentity(redis).finally(() => {
        asking = undefined;
      });
      asking = { connection, answer };
    }
    return asking.answer;
  };
  redis.on('ready', () => connection++);
  return {
    forget: () => {
      verified = undefined;
    },
    async verify(life) {
      if (verified?.connection === connection && verified.epoch === life.epoch) return true;
      const asked = connection;
      const found = await ask();
      if (asked !== connection) return false;
      if (found !== 'no primary' && life.server && sameIdentity(life.server, found)) {
        verified = { connection: asked, epoch: life.epoch };
        doubted = undefined;
        return true;
      }
      if (doubted === life.epoch) await onOther(life);
      else {
        doubted = life.epoch;
        redis.disconnect(true);
      }
      return false;
    },
  };
}
