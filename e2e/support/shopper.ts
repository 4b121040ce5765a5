/** What a shopper does, in a shopper's words. Finds things by what is written on them, as a person does. */
import type { Page } from '@playwright/test';
import { expect } from './test.ts';

const ADDRESS = [
  ['E-mail', 'ines@example.com'],
  ['Name', 'Inês Mar'],
  ['Street and number', 'Pier Road 4'],
  ['Postcode', 'H91 X2K'],
  ['Town', 'Galway'],
] as const;

/** Where the goods of the seed stand. */
const PRODUCT_PAGES: Record<string, string> = {
  'Galley Mug': '/products/galley-mug',
  'Gimbal Lamp': '/products/gimbal-lamp',
  'Low Tide': '/products/low-tide-print',
  'Mooring Rope, 10 m': '/products/mooring-rope',
  'Rigging Knife': '/products/rigging-knife',
  'Storm Warning Tee': '/products/storm-tee',
  'Tin of Postcards': '/products/postcard-tin',
  'Watch Cap': '/products/watch-cap',
};

/** From the product's page into the cart; `variant` is what is written on its choice. */
export async function putInCart(page: Page, product: string, variant?: string): Promise<void> {
  await page.goto(PRODUCT_PAGES[product] ?? '/');
  await putThisInCart(page, product, variant);
}

/** The same, from the shelves of the first page on. */
export async function findAndPutInCart(page: Page, product: string, variant?: string): Promise<void> {
  await page.goto('/');
  await page
    .getByRole('link', { name: new RegExp(product) })
    .first()
    .click();
  await putThisInCart(page, product, variant);
}

async function putThisInCart(page: Page, product: string, variant: string | undefined): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: product })).toBeVisible();
  if (variant) await page.getByRole('radio', { name: variant }).click();
  await page.getByRole('button', { name: 'Put in the cart' }).click();
  await expect(page.getByText(/^In your cart: \d+$/)).toBeVisible();
}

export async function goToCheckout(page: Page): Promise<void> {
  await page.goto('/cart');
  await page.getByRole('link', { name: 'Check out' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Checkout' })).toBeVisible();
  for (const [label, value] of ADDRESS) await page.getByLabel(label, { exact: true }).fill(value);
}

export function orderButton(page: Page) {
  return page.getByRole('button', { name: 'Order and go to payment' });
}

/** Orders what is in the cart. @returns the trade's id */
export async function order(page: Page): Promise<string> {
  await goToCheckout(page);
  await orderButton(page).click();
  return expectOrderPage(page);
}

export async function expectOrderPage(page: Page): Promise<string> {
  await page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Held for you' })).toBeVisible();
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

/** At the provider's page. */
export async function goToPay(page: Page, button = 'Pay now'): Promise<void> {
  await page.getByRole('button', { name: button }).click();
  await page.waitForURL(/\/pay\//);
}

export async function cancel(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Cancel this order' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Cancelled' })).toBeVisible();
}
