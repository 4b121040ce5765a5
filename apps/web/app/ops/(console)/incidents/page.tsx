import type { Metadata } from 'next';
import { IncidentsPage } from '../../../../components/ops/incidents-page.tsx';

export const metadata: Metadata = { title: 'Incidents' };

export default function Page() {
  return <IncidentsPage />;
}
