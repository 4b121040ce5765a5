/** What an operator does and sees at the console. */
import type { Page } from '@playwright/test';
import { DEMO_LOGINS } from '../../prisma/seed.ts';
import { expect } from './test.ts';

export async function signIn(page: Page, role: 'viewer' | 'operator'): Promise<void> {
  const login = DEMO_LOGINS.find((one) => one.role === role);
  if (!login) throw new Error(`no demo login of the role ${role}`);
  await page.goto('/ops');
  await page.getByLabel('E-mail').fill(login.email);
  await page.getByLabel('Password').fill(login.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
}

/** The row of one SKU in the counters; its figures stand in data attributes beside the shown text. */
export function counterRow(page: Page, skuId: string) {
  return page.locator(`tr[data-sku="${skuId}"]`);
}

/** Waits until gate and ledger say the same of a SKU by the one formula, with nothing in flight. */
export async function expectEqualBooks(page: Page, skuId: string): Promise<{ deducted: number; free: number }> {
  await page.goto('/ops/counters');
  const row = counterRow(page, skuId);
  await expect(row).toHaveAttribute('data-unexplained', '0');
  await expect(row).toHaveAttribute('data-in-flight', '0');
  const gate = Number(await row.getAttribute('data-gate-deducted'));
  expect(gate).toBe(Number(await row.getAttribute('data-ledger-deducted')));
  return { deducted: gate, free: Number(await row.getAttribute('data-free')) };
}

/** The reservations list, filtered by trade and state, shows a row for this trade. */
export async function expectReservation(page: Page, tradeId: string, state: string): Promise<void> {
  await page.goto(`/ops/reservations?trade=${tradeId}&status=${state}`);
  const row = page.locator('tbody tr').filter({ has: page.locator(`[title="${tradeId}"]`) });
  await expect(row).toBeVisible();
  await expect(row.locator(`[data-state="${state}"]`)).toBeVisible();
}
