import { whileGateIsClosed } from './support/gate.ts';
import { signIn } from './support/operator.ts';
import { cancel, expectOrderPage, goToCheckout, orderButton, putInCart } from './support/shopper.ts';
import { expect, test } from './support/test.ts';

test('A closed gate is never said as "sold out", takes no order, and lets the same order through once it is open', async ({
  page,
  context,
  otherBrowser,
}) => {
  const console = await otherBrowser.newPage();
  await signIn(console, 'viewer');
  const shelf = await context.newPage();
  await shelf.goto('/products/gimbal-lamp');
  await expect(shelf.getByText('15 left').first()).toBeVisible();
  await putInCart(page, 'Gimbal Lamp');
  await goToCheckout(page);

  await whileGateIsClosed(async () => {
    await expect(shelf.getByText('Stock is being counted').first()).toBeVisible();
    await expect(shelf.getByText('Sold out')).toHaveCount(0);
    await expect(console.getByText('Gate closed, since')).toBeVisible();
    await orderButton(page).click();
    await expect(page.getByText('The till is closed for a moment')).toBeVisible();
  });

  await expect(console.getByText('Gate open, epoch')).toBeVisible();
  await expect(shelf.getByText('15 left').first()).toBeVisible();
  await orderButton(page).click();
  await expectOrderPage(page);
  await cancel(page);
});
