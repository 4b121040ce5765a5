import { describe, expect, it } from 'vitest';
import { addStock, stockSentence } from './stock-sentence.ts';

describe('stock sentence', () => {
  it('never says "sold out" when the gate could not be read', () => {
    expect(stockSentence({ free: null, holds: null }).state).toBe('unknown');
    expect(stockSentence(undefined).state).toBe('unknown');
  });

  it('says that units may come back while others are paying for them', () => {
    expect(stockSentence({ free: 0, holds: 3 })).toMatchObject({ state: 'held', canBuy: false });
    expect(stockSentence({ free: 0, holds: 0 })).toMatchObject({ text: 'Sold out', canBuy: false });
  });

  it('names small numbers', () => {
    expect(stockSentence({ free: 1, holds: 0 }).text).toBe('Last one');
    expect(stockSentence({ free: 12, holds: 0 }).text).toBe('12 left');
  });

  it('does not add up a product of which one variant is unknown', () => {
    expect(
      addStock([
        { free: 3, holds: 0 },
        { free: null, holds: null },
      ]).free,
    ).toBeNull();
    expect(
      addStock([
        { free: 3, holds: 1 },
        { free: 2, holds: 0 },
      ]),
    ).toEqual({ free: 5, holds: 1 });
  });
});
