import type { Metadata } from 'next';
import { CountersPage } from '../../../../components/ops/counters-page.tsx';

export const metadata: Metadata = { title: 'Counters' };

export default function Page() {
  return <CountersPage />;
}
