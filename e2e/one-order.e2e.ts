import { cancel, expectOrderPage, goToCheckout, orderButton, putInCart } from './support/shopper.ts';
import { expect, test } from './support/test.ts';

test('A double click on "order" makes one order, and so does going back and ordering again', async ({ page }) => {
  await putInCart(page, 'Tin of Postcards');
  await goToCheckout(page);
  await orderButton(page).dblclick();
  const tradeId = await expectOrderPage(page);

  await page.goBack();
  await expect(page.getByText('This cart is ordered already and waits to be paid')).toBeVisible();
  await page.goto('/orders');
  await expect(page.getByRole('main').getByRole('link')).toHaveCount(1);
  await page.getByRole('main').getByRole('link').click();
  await page.waitForURL(`**/orders/${tradeId}`);
  await cancel(page);
});

test('Two tabs that order the same cart at once get one order', async ({ page, context }) => {
  await putInCart(page, 'Mooring Rope, 10 m');
  await goToCheckout(page);
  const second = await context.newPage();
  await goToCheckout(second);
  await Promise.all([orderButton(page).click(), orderButton(second).click()]);
  await expect.poll(async () => (await page.request.get('/orders')).ok()).toBe(true);
  await page.goto('/orders');
  await expect(page.getByRole('main').getByRole('link')).toHaveCount(1);
  await page.getByRole('main').getByRole('link').click();
  await expectOrderPage(page);
  await cancel(page);
});
