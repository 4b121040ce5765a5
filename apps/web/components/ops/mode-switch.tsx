'use client';
/** Where a SKU's units are sold, and, for operators, the way to the switch. */
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTRPC } from '../trpc/client.tsx';
import { PLACE_OF, SwitchForm } from './switch-form.tsx';
import type { Counter } from './types.ts';

export function ModeSwitch({ shopId, skuId, mode }: Pick<Counter, 'shopId' | 'skuId' | 'mode'>) {
  const trpc = useTRPC();
  const dialog = useRef<HTMLDialogElement>(null);
  const { data: operator } = useQuery(trpc.ops.signedIn.queryOptions());
  if (mode === 'SWITCHING' || !operator || operator.role === 'viewer')
    return <span className="text-xs text-soft">{PLACE_OF[mode]}</span>;
  return (
    <>
      <button
        type="button"
        className="text-xs underline underline-offset-4"
        aria-label={`${skuId} is sold at the ${PLACE_OF[mode]}; switch`}
        onClick={() => dialog.current?.showModal()}
      >
        {PLACE_OF[mode]}
      </button>
      <dialog
        ref={dialog}
        className="m-auto w-96 max-w-[calc(100vw-2rem)] rounded-panel bg-sheet p-5 text-left text-ink backdrop:bg-ink/40"
      >
        <SwitchForm
          shopId={shopId}
          skuId={skuId}
          to={mode === 'REDIS' ? 'DATABASE' : 'REDIS'}
          onEnd={() => dialog.current?.close()}
        />
      </dialog>
    </>
  );
}
