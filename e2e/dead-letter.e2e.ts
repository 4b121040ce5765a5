import { whileLedgerRefuses } from './support/fault.ts';
import { signIn } from './support/operator.ts';
import { cancel, order, putInCart } from './support/shopper.ts';
import { expect, test } from './support/test.ts';

/** Five tries with their back-off, at the job's pace. */
const UNTIL_GIVEN_UP_MS = 60_000;

test('A message that was given up is sent again from its page once the cause is mended, and the order is held', async ({
  page,
  otherBrowser,
}) => {
  const console = await otherBrowser.newPage();
  await signIn(console, 'operator');
  await whileLedgerRefuses('STORM-TEE-M', async (mend) => {
    await putInCart(page, 'Storm Warning Tee', 'M');
    await order(page);
    await console.goto('/ops/dead-letters');
    const letter = console.locator('[data-letter]').filter({ hasText: 'INVENTORY_RESERVE_DB' });
    await expect(letter.locator('[data-state="DEAD"]')).toBeVisible({ timeout: UNTIL_GIVEN_UP_MS });
    await expect(letter).toContainText('planted by a browser flow');
    await expect(page.locator('[data-state="PENDING"]')).toHaveText('Held, being written down');

    await mend();
    await letter.getByText('Message and what can be done').click();
    await expect(letter.getByRole('button', { name: 'Send again' })).toBeDisabled();
    await console.getByLabel('Reason for what you do here').fill('the fault is mended');
    await letter.getByRole('button', { name: 'Send again' }).click();
    await expect(page.locator('[data-state="PRE_DEDUCTED"]')).toHaveText('Held for you');
    await expect(console.getByText('No message fails, and none waits.')).toBeVisible();
  });
  await cancel(page);
});
