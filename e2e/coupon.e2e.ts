import { goToCheckout, goToPay, orderButton, putInCart } from './support/shopper.ts';
import { expect, test } from './support/test.ts';

test('A refused coupon is said beside its field and takes nothing; a good one lowers what is paid', async ({
  page,
}) => {
  await putInCart(page, 'Galley Mug', 'Navy');
  await goToCheckout(page);
  const coupon = page.getByLabel('Coupon');
  await coupon.fill('NO-SUCH-CODE');
  await orderButton(page).click();
  await expect(page.getByText('There is no such coupon.')).toBeVisible();
  await expect(coupon).toBeFocused();
  await expect(coupon).toHaveAttribute('aria-invalid', 'true');

  await coupon.fill('HARBOUR10');
  await orderButton(page).click();
  await page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
  await expect(page.getByText('Coupon HARBOUR10')).toBeVisible();
  await expect(page.getByText('-€1.65')).toBeVisible();
  await expect(page.getByText('€14.85')).toBeVisible();
  await goToPay(page);
  await expect(page.getByText('€14.85')).toBeVisible();
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Thank you. It is yours.' })).toBeVisible();
});

test('A shopper is told of a limit on the product page, and an order past it says what is left', async ({ page }) => {
  await putInCart(page, 'Gimbal Lamp');
  await expect(page.getByText('At most 1 in one order and 2 for one buyer within 24 hours.')).toBeVisible();
  await page.getByRole('button', { name: 'Put in the cart' }).click();
  await expect(page.getByText('In your cart: 2')).toBeVisible();
  await goToCheckout(page);
  await orderButton(page).click();
  await expect(page.getByText('That is more than one buyer may hold')).toBeVisible();
  await expect(page.getByText('At most 1 for you now', { exact: true })).toBeVisible();
});
