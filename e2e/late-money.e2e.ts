import type { Page } from '@playwright/test';
import { letTimeRunOut } from './support/end-of-time.ts';
import { cancel, goToPay, order, putInCart } from './support/shopper.ts';
import { expect, test } from './support/test.ts';

/** Cancels in the shop while the bank's page is still open, as a second tab would. */
async function cancelBehindTheBank(bank: Page, tradeId: string): Promise<void> {
  const shop = await bank.context().newPage();
  await shop.goto(`/orders/${tradeId}`);
  await cancel(shop);
  await shop.close();
  await expect(bank.getByText('There is nothing to pay here')).toBeVisible();
}

test('Money after the time to pay, while the items are still there: the order goes on, and its page says so', async ({
  page,
}) => {
  await putInCart(page, 'Rigging Knife');
  const tradeId = await order(page);
  await goToPay(page);
  await letTimeRunOut(tradeId);
  await expect(page.getByText('The time for this payment is over')).toBeVisible();
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.waitForURL(`**/orders/${tradeId}`);
  await expect(page.getByText('Your payment arrived late, and your items were still there')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Thank you. It is yours.' })).toBeVisible();
  await expect(page.locator('[data-state="CONFIRMED"]')).toHaveText('Yours');
});

test('Money for a cancelled order whose item somebody else has: it goes back, and the page never says "nothing was charged"', async ({
  page,
  otherBrowser,
}) => {
  await putInCart(page, 'Galley Mug', 'Cream');
  const tradeId = await order(page);
  await goToPay(page);
  await cancelBehindTheBank(page, tradeId);
  const other = await otherBrowser.newPage();
  await putInCart(other, 'Galley Mug', 'Cream');
  await order(other);

  await page.getByRole('button', { name: 'Pay all the same, too late' }).click();
  await page.waitForURL(`**/orders/${tradeId}`);
  await expect(page.getByText('It has been given back to you:')).toBeVisible();
  await expect(page.getByText('Nothing was charged')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1, name: 'Refunded' })).toBeVisible();
  await cancel(other);
});
