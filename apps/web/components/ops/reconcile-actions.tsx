'use client';
/** Look, or look and repair: everything, one shop, or one SKU of it. The filter's shop and SKU are filled in. */
import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { TextField } from '../ui/text-field.tsx';
import { Panel } from './panel.tsx';
import { ReconcileCheck } from './reconcile-check.tsx';
import { readLogFilter } from './reconcile-filter.ts';
import { ReconcileRun } from './reconcile-run.tsx';

export interface ReconcileScope {
  readonly shopId?: string;
  readonly skuId?: string;
}

export function ReconcileActions() {
  const filter = readLogFilter(useSearchParams());
  // Another filter fills the fields anew.
  return <Form key={`${filter.shop}/${filter.sku}`} shop={filter.shop ?? ''} sku={filter.sku ?? ''} />;
}

function Form(start: { readonly shop: string; readonly sku: string }) {
  const [shop, setShop] = useState(start.shop);
  const [sku, setSku] = useState(start.sku);
  const skuAlone = sku.trim() !== '' && shop.trim() === '';
  const scope = { ...(shop.trim() && { shopId: shop.trim() }), ...(sku.trim() && { skuId: sku.trim() }) };
  return (
    <Panel title="Compare now">
      <div className="grid grid-cols-2 gap-3 px-3 pt-3">
        <TextField
          look="console"
          label="Shop"
          placeholder="all"
          value={shop}
          onChange={(e) => setShop(e.target.value)}
        />
        <TextField
          look="console"
          label="SKU"
          placeholder="all"
          value={sku}
          problem={skuAlone ? 'Name its shop too.' : undefined}
          onChange={(e) => setSku(e.target.value)}
        />
      </div>
      <ReconcileCheck scope={scope} isWhole={!skuAlone} />
      <ReconcileRun scope={scope} isWhole={!skuAlone} />
    </Panel>
  );
}
