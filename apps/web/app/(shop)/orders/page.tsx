import type { Metadata } from 'next';
import { MyOrders } from '../../../components/shop/my-orders.tsx';
import { PageFrame } from '../../../components/shop/page-frame.tsx';

export const metadata: Metadata = { title: 'My orders' };

export default function Page() {
  return (
    <PageFrame title="My orders">
      <MyOrders />
    </PageFrame>
  );
}
