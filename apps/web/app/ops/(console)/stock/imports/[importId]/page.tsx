import type { Metadata } from 'next';
import { ImportPage } from '../../../../../../components/ops/import-page.tsx';

export const metadata: Metadata = { title: 'Import of stock changes' };

export default async function Page({ params }: { params: Promise<{ importId: string }> }) {
  return <ImportPage importId={(await params).importId} />;
}
