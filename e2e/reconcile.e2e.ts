import { changeCapacity } from './support/gate.ts';
import { counterRow, expectEqualBooks, signIn } from './support/operator.ts';
import { cancel, expectOrderPage, goToCheckout, orderButton, putInCart } from './support/shopper.ts';
import { expect, test } from './support/test.ts';

const SKU = 'GALLEY-MUG-NAVY';

test('A drift is shown, explained, found by a dry run, healed by a run, and stands in the log with before and after', async ({
  page,
}) => {
  await signIn(page, 'operator');
  const { deducted } = await expectEqualBooks(page, SKU);
  const shopId = (await counterRow(page, SKU).getAttribute('data-shop')) ?? '';
  await changeCapacity(shopId, SKU, 3);
  await expect(counterRow(page, SKU)).toHaveAttribute('data-unexplained', '3');
  await page.getByRole('link', { name: `Explain the difference of ${SKU}` }).click();
  await expect(page.locator('tr[data-row="CAPACITY_DIFFERS"]')).toHaveAttribute('data-units', '3');

  await page.getByRole('link', { name: 'Reconcile log of this SKU' }).click();
  await page.getByRole('button', { name: 'Check, change nothing' }).click();
  await expect(page.getByText('T differs: would load it anew')).toBeVisible();
  await expect(page.locator('li[data-entry="REPAIR"]')).toHaveCount(0);
  await page.getByLabel('Reason for a repair').fill('drift on the counters page');
  await page.getByRole('button', { name: `Reconcile ${SKU}` }).click();
  await expect(page.getByText('1 loaded anew')).toBeVisible();

  const repair = page.locator('li[data-entry="REPAIR"]');
  await repair.getByRole('link').first().click();
  await expect(repair).toContainText('loaded anew: held too little');
  await expect(repair).toContainText('by operator@holdfast.example');
  await expect(page.locator('li[data-entry="FINDING"]').first()).toHaveAttribute('data-unexplained', '3');
  await page.getByLabel('cause').selectOption('BROKEN_KEY');
  await page.getByRole('button', { name: 'Filter' }).click();
  await expect(page.getByText('No entry is like that.')).toBeVisible();
  expect(await expectEqualBooks(page, SKU)).toMatchObject({ deducted });
});

test('Explain this number adds up on the screen, now and before the order', async ({ page, otherBrowser }) => {
  const before = new Date();
  await putInCart(page, 'Gimbal Lamp');
  await goToCheckout(page);
  await orderButton(page).click();
  await expectOrderPage(page);
  const console = await otherBrowser.newPage();
  await signIn(console, 'viewer');
  await console.goto('/ops/counters');
  const row = console.locator('tr[data-sku]', { hasText: 'GIMBAL-LAMP' }).first();
  const [shopId, skuId] = [await row.getAttribute('data-shop'), await row.getAttribute('data-sku')];
  for (const figure of ['deducted', 'free', 'total', 'ledgerDeducted', 'totalQuantity', 'reservedQuantity']) {
    await console.goto(`/ops/explain/${shopId}/${skuId}?figure=${figure}`);
    const table = console.locator(`table[data-figure="${figure}"]`);
    await expect(table).toBeVisible();
    const units = await table
      .locator('tr[data-row]')
      .evaluateAll((rows) => rows.map((r) => Number(r.getAttribute('data-units'))));
    expect(units.reduce((sum, n) => sum + n, 0)).toBe(Number(await table.getAttribute('data-value')));
    await expect(table.locator('tr[data-row="NOT_EXPLAINED"]')).toHaveCount(0);
  }
  await expect(console.locator('tr[data-row="RESERVED"]')).toHaveAttribute('data-units', '1');
  await console.locator('tr[data-row="RESERVED"] a').click();
  await expect(console.getByText('Its rows, newest first')).toBeVisible();
  await console.goto(`/ops/explain/${shopId}/${skuId}?figure=reservedQuantity&at=${before.toISOString()}`);
  await expect(console.locator('table[data-figure="reservedQuantity"]')).toHaveAttribute('data-value', '0');
  await cancel(page);
});
