import { expectEqualBooks, signIn } from './support/operator.ts';
import { cancel, order, putInCart } from './support/shopper.ts';
import { expect, test } from './support/test.ts';

test('An operator rebuilds the gate with a reason while an order is open; the order stays, and the books agree', async ({
  page,
  otherBrowser,
}) => {
  const console = await otherBrowser.newPage();
  await signIn(console, 'operator');
  await putInCart(page, 'Rigging Knife');
  await order(page);
  await console.goto('/ops/counters');
  const life = console.locator('[data-panel="gate-life"]');
  const epoch = Number(/epoch (\d+)/.exec((await life.getByText('Open, epoch').textContent()) ?? '')?.[1]);
  await life.getByRole('button', { name: 'Rebuild the gate' }).click();
  const dialog = console.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Rebuild' })).toBeDisabled();
  await dialog.getByLabel('Reason').fill('after the power cut');
  await dialog.getByRole('button', { name: 'Rebuild' }).click();
  await expect(dialog).toBeHidden();
  await expect(life.getByText(`Open, epoch ${epoch + 1}`)).toBeVisible();
  await expect(life.getByText('after the power cut')).toBeVisible();
  await cancel(page);
  await expectEqualBooks(console, 'RIGGING-KNIFE');
});
