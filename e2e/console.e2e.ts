import { counterRow, signIn } from './support/operator.ts';
import { expect, test } from './support/test.ts';

test('The console is shown to nobody who has not signed in', async ({ page }) => {
  for (const path of ['/ops', '/ops/counters', '/ops/reservations', '/ops/incidents', '/ops/reconcile']) {
    await page.goto(path);
    await page.waitForURL('**/ops/sign-in');
  }
  const answer = await page.request.get('/api/trpc/ops.counters?input=%7B%22json%22%3A%7B%7D%7D');
  expect(answer.status()).toBe(401);
});

test('A wrong password is refused in words', async ({ page }) => {
  await page.goto('/ops/sign-in');
  await page.getByLabel('E-mail').fill('operator@holdfast.example');
  await page.getByLabel('Password').fill('not-the-password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText('E-mail or password is not right.')).toBeVisible();
});

test('A viewer may look and may not run a repair; an operator may', async ({ page, otherBrowser, baseURL }) => {
  await signIn(page, 'viewer');
  await page.goto('/ops/reconcile');
  await expect(page.getByRole('button', { name: 'Check, change nothing' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Reconcile everything' })).toBeDisabled();
  const refused = await page.request.post('/api/trpc/ops.runReconcile', {
    data: { json: { reason: 'to see' } },
    headers: { origin: baseURL ?? '' },
  });
  expect(refused.status()).toBe(403);

  const operator = await otherBrowser.newPage();
  await signIn(operator, 'operator');
  await operator.goto('/ops/reconcile');
  await operator.getByLabel('Reason for a repair').fill('a look before the weekend');
  await operator.getByRole('button', { name: 'Reconcile everything' }).click();
  await expect(operator.getByText('SKUs judged, 0 with an unexplained difference').first()).toBeVisible();
  const opened = operator.locator('li[data-entry="RUN"]:has(a[aria-expanded="true"])');
  // The new run comes on top a moment later, so the first click may open the one before it.
  await expect(async () => {
    await operator.locator('li[data-entry="RUN"] a').first().click();
    await expect(opened).toContainText('by operator@holdfast.example', { timeout: 2000 });
  }).toPass();
  await expect(opened).toContainText('a look before the weekend');
});

test('The filter of a list stands in the address, and Back finds it again', async ({ page }) => {
  await signIn(page, 'viewer');
  await page.goto('/ops/counters');
  await expect(counterRow(page, 'GALLEY-MUG-NAVY')).toBeVisible();
  await page.getByRole('link', { name: 'Only what differs' }).click();
  await page.waitForURL('**/ops/counters?only=differing');
  await expect(counterRow(page, 'GALLEY-MUG-NAVY')).toBeHidden();

  await page.goto('/ops/reservations');
  await page.getByLabel('SKU', { exact: true }).fill('NO-SUCH-SKU');
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.waitForURL('**/ops/reservations?sku=NO-SUCH-SKU');
  await expect(page.getByText('No reservation is like that.')).toBeVisible();
  await page.getByRole('link', { name: 'EXPIRED' }).click();
  await page.waitForURL('**/ops/reservations?sku=NO-SUCH-SKU&status=EXPIRED');
  await page.goBack();
  await page.waitForURL('**/ops/reservations?sku=NO-SUCH-SKU');
  await expect(page.getByLabel('SKU', { exact: true })).toHaveValue('NO-SUCH-SKU');
});

test('A change asked for by another site is refused', async ({ page }) => {
  const answer = await page.request.post('/api/trpc/cart.put', {
    data: { json: {} },
    headers: { origin: 'https://elsewhere.example' },
  });
  expect(answer.status()).toBe(403);
});
