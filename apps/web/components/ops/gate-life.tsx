'use client';
/** The present life of the gate, why it began, and for operators the way to begin the next one (P10). */
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTRPC } from '../trpc/client.tsx';
import { Button } from '../ui/button.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { Ago } from './ago.tsx';
import { Failed, Panel } from './panel.tsx';
import { RebuildForm } from './rebuild-form.tsx';
import type { GateHealth } from './types.ts';
import { NEEDS_OPERATOR, useOperator } from './use-operator.ts';

const REFRESH_MS = 2000;

export function GateLife() {
  const gate = useQuery(useTRPC().ops.gate.queryOptions(undefined, { refetchInterval: REFRESH_MS }));
  const dialog = useRef<HTMLDialogElement>(null);
  const mayRebuild = useOperator();
  const why = mayRebuild ? (gate.data?.rebuildAsked ? 'It is asked for already.' : undefined) : NEEDS_OPERATOR;
  return (
    <div className="mb-4">
      <Panel title="The gate">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-3 py-2.5" data-panel="gate-life">
          {gate.data ? (
            <Life gate={gate.data} />
          ) : gate.error ? (
            <Failed error={gate.error} what="The gate" />
          ) : (
            <Waiting className="h-9 w-72 rounded-none" />
          )}
          <Button
            look="quiet"
            size="console"
            disabled={why !== undefined}
            title={why}
            onClick={() => dialog.current?.showModal()}
          >
            Rebuild the gate
          </Button>
        </div>
      </Panel>
      <dialog
        ref={dialog}
        aria-label="Rebuild the gate"
        className="m-auto w-96 max-w-[calc(100vw-2rem)] rounded-panel bg-sheet p-5 text-left text-ink backdrop:bg-ink/40"
      >
        <RebuildForm onEnd={() => dialog.current?.close()} />
      </dialog>
    </div>
  );
}

function Life({ gate }: { readonly gate: GateHealth }) {
  return (
    <div className="min-w-0 text-sm">
      <p>
        <span className={gate.open ? 'font-medium' : 'font-medium text-drift-down'}>
          {gate.open ? `Open, epoch ${gate.epoch}` : 'Closed; nothing is sold from it'}
        </span>
        {gate.since && (
          <span className="text-soft">
            , {gate.open ? 'for' : 'since'} <Ago at={gate.since} {...(gate.open && { suffix: '' })} />
          </span>
        )}
      </p>
      <p className="text-soft">{sayWhy(gate)}</p>
    </div>
  );
}

function sayWhy({ open, closedReason, rebuildAsked, rebuiltBecause, rebuiltBy }: GateHealth): string {
  if (rebuildAsked) return 'A rebuild is asked for and begins within a second.';
  if (!open) return closedReason ?? 'It is being rebuilt from the ledger.';
  return rebuiltBecause ? `Last rebuilt by ${rebuiltBy}: ${rebuiltBecause}` : 'Not rebuilt yet.';
}
