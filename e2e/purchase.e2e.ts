import { expectEqualBooks, expectReservation, signIn } from './support/operator.ts';
import { findAndPutInCart, goToPay, order, putInCart } from './support/shopper.ts';
import { expect, test } from './support/test.ts';

test('A purchase goes from the shelf to paid, and both books follow it unit by unit', async ({
  page,
  otherBrowser,
}) => {
  const console = await otherBrowser.newPage();
  await signIn(console, 'operator');
  const before = await expectEqualBooks(console, 'GALLEY-MUG-NAVY');

  await findAndPutInCart(page, 'Galley Mug', 'Navy');
  const tradeId = await order(page);
  await expect(page.locator('[data-state="PRE_DEDUCTED"]')).toHaveText('Held for you');
  await expectReservation(console, tradeId, 'PRE_DEDUCTED');
  expect(await expectEqualBooks(console, 'GALLEY-MUG-NAVY')).toEqual({
    deducted: before.deducted + 1,
    free: before.free - 1,
  });

  await goToPay(page);
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Thank you. It is yours.' })).toBeVisible();
  await expect(page.locator('[data-state="CONFIRMED"]')).toHaveText('Yours');
  await expectReservation(console, tradeId, 'CONFIRMED');
  expect(await expectEqualBooks(console, 'GALLEY-MUG-NAVY')).toEqual({
    deducted: before.deducted + 1,
    free: before.free - 1,
  });
});

test('A declined payment keeps the items, and the same order can then be paid', async ({ page }) => {
  await putInCart(page, 'Rigging Knife');
  const tradeId = await order(page);
  await goToPay(page);
  await page.getByRole('button', { name: 'Decline' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'The payment was declined' })).toBeVisible();
  await expect(page.getByText('Your items are still held for you')).toBeVisible();

  await goToPay(page, 'Try to pay again');
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.waitForURL(`**/orders/${tradeId}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Thank you. It is yours.' })).toBeVisible();
});

test('The cart is empty after its order is paid', async ({ page }) => {
  await putInCart(page, 'Watch Cap');
  await order(page);
  await goToPay(page);
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Thank you. It is yours.' })).toBeVisible();
  await page.goto('/cart');
  await expect(page.getByRole('heading', { name: 'Your cart is empty' })).toBeVisible();
});
