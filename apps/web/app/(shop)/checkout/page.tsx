import type { Metadata } from 'next';
import { CheckoutPage } from '../../../components/shop/checkout-page.tsx';
import { PageFrame } from '../../../components/shop/page-frame.tsx';

export const metadata: Metadata = { title: 'Checkout' };

export default function Page() {
  return (
    <PageFrame title="Checkout">
      <CheckoutPage />
    </PageFrame>
  );
}
