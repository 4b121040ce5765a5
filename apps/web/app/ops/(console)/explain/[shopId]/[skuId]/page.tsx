import type { Metadata } from 'next';
import { ExplainPage } from '../../../../../../components/ops/explain-page.tsx';

export const metadata: Metadata = { title: 'Explain this number' };

export default async function Page({ params }: { params: Promise<{ shopId: string; skuId: string }> }) {
  const { shopId, skuId } = await params;
  return <ExplainPage shopId={decodeURIComponent(shopId)} skuId={decodeURIComponent(skuId)} />;
}
