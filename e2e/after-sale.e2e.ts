import type { Page } from '@playwright/test';
import { expectEqualBooks, signIn } from './support/operator.ts';
import { goToPay, order, putInCart } from './support/shopper.ts';
import { expect, test } from './support/test.ts';

async function buy(page: Page, product: string, variant?: string): Promise<string> {
  await putInCart(page, product, variant);
  const tradeId = await order(page);
  await goToPay(page);
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Thank you. It is yours.' })).toBeVisible();
  return tradeId;
}

test('An order is shipped, arrives and is refunded; its unit is on sale again and every button follows the state', async ({
  page,
  otherBrowser,
}) => {
  const console = await otherBrowser.newPage();
  await signIn(console, 'operator');
  const before = await expectEqualBooks(console, 'GALLEY-MUG-NAVY');
  const tradeId = await buy(page, 'Galley Mug', 'Navy');

  await console.goto(`/ops/orders/${tradeId}`);
  await expect(console.getByRole('button', { name: 'Cancel' })).toBeDisabled();
  await expect(console.getByText('This order is paid; refund it instead.')).toBeVisible();
  await console.getByLabel('Carrier').fill('Gull');
  await console.getByRole('button', { name: 'Ship' }).click();

  await expect(page.getByText('On its way with Gull')).toBeVisible();
  await page.getByRole('button', { name: 'I have it' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Arrived' })).toBeVisible();
  await page.getByRole('button', { name: 'Send something back' }).click();
  await page.getByLabel('Why').fill('the handle is too small');
  await page.getByRole('button', { name: 'Ask to send it back' }).click();
  await expect(page.getByText('you asked to send it back')).toBeVisible();

  await console.getByLabel(/^Why/).fill('looked at it');
  await console.getByRole('button', { name: 'Received' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Refunded' })).toBeVisible();
  await expect(page.getByText('back with us, paid back')).toBeVisible();
  await expect(console.locator('[data-state="SUCCEEDED"]')).toBeVisible();
  const after = await expectEqualBooks(console, 'GALLEY-MUG-NAVY');
  expect(after.free).toBe(before.free);
});

test('An operator refunds one unit with a reason and cannot refund more than was sold', async ({
  page,
  otherBrowser,
}) => {
  const tradeId = await buy(page, 'Tin of Postcards');
  const console = await otherBrowser.newPage();
  await signIn(console, 'operator');
  await console.goto(`/ops/orders/${tradeId}`);
  const refund = console.getByRole('button', { name: 'Refund these' });
  await expect(refund).toBeDisabled();
  await console.getByLabel(/^Why/).fill('broken on the way');
  await console.getByLabel(/^Units of/).fill('2');
  await refund.click();
  await expect(console.getByRole('alert').filter({ hasText: '1 can still come back' })).toBeVisible();
  await console.getByLabel(/^Units of/).fill('1');
  await refund.click();
  await expect(console.getByText('All units have come back.').first()).toBeVisible();
  await expect(console.locator('[data-state="REFUNDED"]').first()).toBeVisible();
});
