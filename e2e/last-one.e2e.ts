import { cancel, goToCheckout, order, orderButton, putInCart } from './support/shopper.ts';
import { expect, test } from './support/test.ts';

test('C62: an open page shows by itself that the last one is being paid for, and that a cancel freed it', async ({
  page,
  otherBrowser,
}) => {
  await page.goto('/products/galley-mug');
  await page.getByRole('radio', { name: 'Cream' }).click();
  await expect(page.getByText('Last one', { exact: true }).first()).toBeVisible();

  const other = await otherBrowser.newPage();
  await putInCart(other, 'Galley Mug', 'Cream');
  await order(other);
  await expect(page.getByText('All being paid for, some may come back').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Being paid for' })).toBeDisabled();

  await cancel(other);
  await expect(page.getByText('Last one', { exact: true }).first()).toBeVisible();
});

test('C62: ordering from a page that still shows one left says "sold out" in words and takes nothing', async ({
  page,
  otherBrowser,
}) => {
  await putInCart(page, 'Galley Mug', 'Cream');
  await goToCheckout(page);
  const other = await otherBrowser.newPage();
  await putInCart(other, 'Galley Mug', 'Cream');
  await order(other);

  await orderButton(page).click();
  await expect(page.getByText('Sold out: somebody was quicker')).toBeVisible();
  await expect(page.getByText('Nothing was ordered and nothing is held.')).toBeVisible();
  await page.goto('/orders');
  await expect(page.getByRole('heading', { name: 'No orders yet' })).toBeVisible();
  await cancel(other);
});

test('A SKU without stock says so and cannot be bought', async ({ page }) => {
  await page.goto('/products/storm-tee');
  await page.getByRole('radio', { name: 'L, not available' }).click();
  await expect(page.getByText('Sold out', { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sold out' })).toBeDisabled();
});
