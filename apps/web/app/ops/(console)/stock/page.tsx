import type { Metadata } from 'next';
import { StockPage } from '../../../../components/ops/stock-page.tsx';

export const metadata: Metadata = { title: 'Stock' };

export default function Page() {
  return <StockPage />;
}
