import { cancel, order, putInCart } from './support/shopper.ts';
import { expect, test } from './support/test.ts';

for (const hours of [2, -2]) {
  test(`C64: the countdown follows the server with the device clock ${Math.abs(hours)} h ${hours > 0 ? 'ahead' : 'behind'}`, async ({
    page,
  }) => {
    await page.addInitScript((shiftMs) => {
      const RealDate = Date;
      const now = RealDate.now.bind(RealDate);
      Date.now = () => now() + shiftMs;
      globalThis.Date = new Proxy(RealDate, {
        construct: (target, args) =>
          args.length === 0 ? new target(now() + shiftMs) : Reflect.construct(target, args),
      });
    }, hours * 3_600_000);
    await putInCart(page, 'Low Tide', 'A3');
    const answer = page.waitForResponse((response) => response.url().includes('order.place'));
    await order(page);
    const payUntil: unknown = (await (await answer).json()).result.data.json.payUntil;
    const shown = await page.getByTestId('time-left').textContent();
    const leftSeconds = (Date.parse(String(payUntil)) - Date.now()) / 1000;
    const [minutes = '0', seconds = '0'] = shown?.split(':') ?? [];
    if (shown?.includes(':'))
      expect(Math.abs(Number(minutes) * 60 + Number(seconds) - leftSeconds)).toBeLessThanOrEqual(2);
    else expect(Number.parseInt(shown ?? '', 10)).toBe(Math.ceil(leftSeconds / 60));
    await cancel(page);
  });
}
