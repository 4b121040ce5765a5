/**
 * P23: how many orders of one buyer this process tries at once. The limits of a buyer are judged by the commit, after the
 * units were taken at the gate; without turns, 200 parallel tries of one buyer would hold 200 units for a moment that
 * nobody else can buy. Who comes when the places are taken waits, and then asks for the limits before taking anything.
 */
/** Two tabs of a browser never wait for each other. */
const PLACES = 2;

export interface BuyerTurns {
  /**
   * Runs `work` in this buyer's turn. `crowded`: others of the same buyer are being tried or were waited for.
   * Answers undefined when no turn came by `deadline` (performance.now()).
   */
  take<T>(buyerId: string, deadline: number, work: (crowded: boolean) => Promise<T>): Promise<T | undefined>;
}

interface Turns {
  running: number;
  readonly waiting: Set<() => void>;
}

export function createBuyerTurns(): BuyerTurns {
  const buyers = new Map<string, Turns>();

  /** The place goes on to whoever waits longest, or is free again. */
  const leave = (buyerId: string, turns: Turns) => {
    const [next] = turns.waiting;
    if (next) {
      turns.waiting.delete(next);
      next();
    } else if (--turns.running === 0) buyers.delete(buyerId);
  };
  const enter = (turns: Turns, deadline: number): Promise<boolean> => {
    if (turns.running < PLACES) {
      turns.running++;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const giveUp = setTimeout(
        () => {
          turns.waiting.delete(answer);
          resolve(false);
        },
        Math.max(1, deadline - performance.now()),
      );
      const answer = () => {
        clearTimeout(giveUp);
        resolve(true);
      };
      turns.waiting.add(answer);
    });
  };

  return {
    async take(buyerId, deadline, work) {
      const turns = buyers.get(buyerId) ?? { running: 0, waiting: new Set() };
      buyers.set(buyerId, turns);
      const crowded = turns.running > 0;
      if (!(await enter(turns, deadline))) return undefined;
      try {
        return await work(crowded);
      } finally {
        leave(buyerId, turns);
      }
    },
  };
}
