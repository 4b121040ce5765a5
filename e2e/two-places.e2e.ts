/** Goods sold at the ledger instead of the gate, and the switch between the two. */
import type { Page } from '@playwright/test';
import { whileGateIsClosed } from './support/gate.ts';
import { counterRow, expectEqualBooks, signIn } from './support/operator.ts';
import { cancel, goToPay, order, putInCart } from './support/shopper.ts';
import { expect, test } from './support/test.ts';

test('Ordinary goods are bought and paid while the gate is closed', async ({ page }) => {
  await putInCart(page, 'Tin of Postcards');
  await whileGateIsClosed(async () => {
    await order(page);
    await goToPay(page);
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Thank you. It is yours.' })).toBeVisible();
  });
});

test('A SKU is switched to the ledger and back from the console while an order of it is open', async ({
  page,
  otherBrowser,
}) => {
  const sku = 'WATCH-CAP';
  const console = await otherBrowser.newPage();
  await signIn(console, 'operator');
  await putInCart(page, 'Watch Cap');
  await order(page);
  await switchPlace(console, sku, 'gate');
  await expect(counterRow(console, sku)).toHaveAttribute('data-mode', 'DATABASE');
  await goToPay(page);
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Thank you. It is yours.' })).toBeVisible();

  await putInCart(page, 'Watch Cap');
  await order(page);
  await switchPlace(console, sku, 'ledger');
  await expect(counterRow(console, sku)).toHaveAttribute('data-mode', 'REDIS');
  await cancel(page);
  await expectEqualBooks(console, sku);
});

async function switchPlace(console: Page, sku: string, from: 'gate' | 'ledger'): Promise<void> {
  await console.goto('/ops/counters');
  await console.getByRole('button', { name: `${sku} is sold at the ${from}; switch` }).click();
  const dialog = console.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Switch' })).toBeDisabled();
  await dialog.getByLabel('Reason').fill('ordinary goods now');
  await dialog.getByRole('button', { name: 'Switch' }).click();
  await expect(dialog).toBeHidden();
}
