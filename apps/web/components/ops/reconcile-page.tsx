'use client';
/** The reconcile log with its filter in the address, and the runs that an operator may start. */
import { PageHead } from './panel.tsx';
import { ReconcileActions } from './reconcile-actions.tsx';
import { ReconcileLog } from './reconcile-log.tsx';

export function ReconcilePage() {
  return (
    <>
      <PageHead title="Reconcile" />
      <p className="measure mb-4 text-sm text-soft">
        A run reads the gate, the ledger, and the gate again, and compares hold by hold. What something on its way names
        is in flight and never drift. Nothing is ever written to a counter: a SKU is loaded anew, a missing effect is
        issued again, a ghost is swept.
      </p>
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <ReconcileLog />
        <div className="order-first xl:order-none">
          <ReconcileActions />
        </div>
      </div>
    </>
  );
}
