import type { Metadata } from 'next';
import { ReconcilePage } from '../../../../components/ops/reconcile-page.tsx';

export const metadata: Metadata = { title: 'Reconcile' };

export default function Page() {
  return <ReconcilePage />;
}
