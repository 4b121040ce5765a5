import type { Metadata } from 'next';
import { ReservationsPage } from '../../../../components/ops/reservations-page.tsx';

export const metadata: Metadata = { title: 'Reservations' };

export default function Page() {
  return <ReservationsPage />;
}
