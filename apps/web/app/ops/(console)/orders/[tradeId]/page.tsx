import type { Metadata } from 'next';
import { OrderPage } from '../../../../../components/ops/order-page.tsx';

export const metadata: Metadata = { title: 'Order' };

export default async function Page({ params }: { params: Promise<{ tradeId: string }> }) {
  return <OrderPage tradeId={(await params).tradeId} />;
}
