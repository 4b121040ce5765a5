import { counterRow, expectEqualBooks, signIn } from './support/operator.ts';
import { expect, test } from './support/test.ts';

const SKU = 'STORM-TEE-S';

test('An operator writes units off and is told how many are free when it is too many', async ({ page }) => {
  await signIn(page, 'operator');
  await page.goto('/ops/stock');
  const form = page.locator('[data-form="stock"]');
  await form.getByLabel('Shop', { exact: true }).fill('tidewater');
  await form.getByLabel('SKU', { exact: true }).fill(SKU);
  await expect(page.getByText('On hand 40, of them held by buyers 0.')).toBeVisible();
  await form.getByLabel('Units are gone').check();
  await form.getByLabel('Units', { exact: true }).fill('41');
  await form.getByLabel('Reason').fill('water damage');
  await form.getByRole('button', { name: 'Book' }).click();
  await expect(form.getByText('only 40 of')).toBeVisible();

  await form.getByLabel('Units', { exact: true }).fill('3');
  await form.getByRole('button', { name: 'Book' }).click();
  await expect(form.getByText('Booked.')).toBeVisible();
  await expect(page.getByText('On hand 37, of them held by buyers 0.')).toBeVisible();
  await expect(page.locator('[data-operation]').first()).toContainText('-3 (40 to 37)');
  await expect(page.locator('[data-operation]').first()).toContainText('water damage');
});

test('A file of changes is reviewed, applied and undone', async ({ page }) => {
  await signIn(page, 'operator');
  await page.goto('/ops/stock');
  const rows = ['ref,shop,sku,change', `e2e-1,tidewater,${SKU},5`, `e2e-2,tidewater,${SKU},-1000`];
  await page
    .getByLabel('File')
    .setInputFiles({ name: 'count.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) });
  const form = page.locator('[data-form="stock-import"]');
  await form.getByLabel('Reason').fill('spring count');
  await form.getByRole('button', { name: 'Review' }).click();
  await page.waitForURL('**/ops/stock/imports/*');
  await expect(page.locator('[data-line="2"]')).toContainText('can be booked');
  await expect(page.locator('[data-line="3"]')).toContainText('are free');

  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.locator('[data-line="2"]')).toContainText('booked');
  await expect(page.locator('[data-line="3"]')).toContainText('refused');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.locator('[data-line="2"]')).toContainText('booked and undone');
  await page.goto('/ops/counters');
  await expect(counterRow(page, SKU)).toHaveAttribute('data-unexplained', '0');
});

test('A viewer sees stock and may not change it', async ({ page }) => {
  await signIn(page, 'viewer');
  await page.goto('/ops/stock');
  await expect(page.getByRole('button', { name: 'Book' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Review' })).toBeDisabled();
});

test('Units written off in the console are gone from an open page of the shop', async ({ page, otherBrowser }) => {
  const console = await otherBrowser.newPage();
  await signIn(console, 'operator');
  const { free } = await expectEqualBooks(console, 'LOW-TIDE-A2');
  await page.goto('/products/low-tide-print');
  await page.getByRole('radio', { name: 'A2' }).click();
  await expect(page.getByText(`${free} left`).first()).toBeVisible();

  await console.goto('/ops/stock');
  const form = console.locator('[data-form="stock"]');
  await form.getByLabel('Shop', { exact: true }).fill('saltmarsh');
  await form.getByLabel('SKU', { exact: true }).fill('LOW-TIDE-A2');
  await form.getByLabel('Units are gone').check();
  await form.getByLabel('Units', { exact: true }).fill('2');
  await form.getByLabel('Reason').fill('torn at the edge');
  await form.getByRole('button', { name: 'Book' }).click();
  await expect(form.getByText('Booked.')).toBeVisible();
  await expect(page.getByText(`${free - 2} left`).first()).toBeVisible();
});
