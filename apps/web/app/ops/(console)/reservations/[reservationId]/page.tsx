import type { Metadata } from 'next';
import { ReservationPage } from '../../../../../components/ops/reservation-page.tsx';

export const metadata: Metadata = { title: 'Reservation' };

export default async function Page({ params }: { params: Promise<{ reservationId: string }> }) {
  return <ReservationPage reservationId={(await params).reservationId} />;
}
