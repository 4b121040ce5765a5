import { expect, test } from 'vitest';
import { exactText, freeText } from './free-text.schema.ts';
import { editLetterInput, putBackEventsInput } from './ops/dead-letters.schema.ts';
import { reason } from './ops/reason.schema.ts';
import { shipInput } from './ops/ship.schema.ts';
import { importFileInput, unitsInput } from './ops/stock.schema.ts';
import { switchModeInput } from './ops/switch-mode.schema.ts';
import { requestReturnInput } from './order/request-return.schema.ts';

const id = '01a22ea7-bd92-7070-aaa6-ce1c28abe040';
const why = 'a good reason';
const takers = {
  reason: (text: string) => reason.safeParse(text),
  return: (text: string) =>
    requestReturnInput.safeParse({
      tradeId: id,
      shopOrderId: id,
      skuId: 'K',
      quantity: 1,
      reason: text,
      key: 'k'.repeat(8),
    }),
  carrier: (text: string) => shipInput.safeParse({ shopOrderId: id, carrier: text }),
  stock: (text: string) =>
    unitsInput.safeParse({ operationId: id, shopId: 'S', skuId: 'K', quantity: 1, reason: text }),
  'file name': (text: string) => importFileInput.safeParse({ fileName: text, text: 'x', reason: why }),
  mode: (text: string) => switchModeInput.safeParse({ shopId: 'S', skuId: 'K', to: 'REDIS', reason: text }),
  letter: (text: string) => editLetterInput.safeParse({ id: 1, reason: why, body: text }),
  'event key': (text: string) => putBackEventsInput.safeParse({ topic: 't', key: text, reason: why }),
};

test.each(Object.entries(takers))('C50 – text that the database cannot keep is refused at the door: %s', (_, parse) => {
  expect(parse('broken in two\nlines, ö 漢 🐚').success).toBe(true);
  for (const text of ['a NUL \0 inside', 'half \ud83d a pair', '\udc00 the other half'])
    expect(parse(text).success, JSON.stringify(text)).toBe(false);
});

test('free text loses the blanks around it, exact text keeps them', () => {
  expect(freeText(9).parse(' a ')).toBe('a');
  expect(exactText(9).parse(' a ')).toBe(' a ');
});
