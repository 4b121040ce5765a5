/** Is the server behind this very connection the one the epoch was opened on? Asked once a connection (P9). */
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
  let asking: { connection: number; answer: Promise<ServerIdentity> } | undefined;
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
      if (!life.server || !sameIdentity(life.server, found)) {
        await onOther(life);
        return false;
      }
      verified = { connection: asked, epoch: life.epoch };
      return true;
    },
  };
}
