import type { Metadata } from 'next';
import { CartPage } from '../../../components/shop/cart-page.tsx';
import { PageFrame } from '../../../components/shop/page-frame.tsx';

export const metadata: Metadata = { title: 'Cart' };

export default function Page() {
  return (
    <PageFrame title="Your cart">
      <CartPage />
    </PageFrame>
  );
}
