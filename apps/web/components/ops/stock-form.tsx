'use client';
/** One change by hand, with what is wrong said next to its field. */
import { type FormEvent, useState } from 'react';
import { failureOf } from '../trpc/failure-of.ts';
import { TextField } from '../ui/text-field.tsx';
import { Panel } from './panel.tsx';
import { SendButton } from './send-button.tsx';
import { NEEDS_OPERATOR, useOperator } from './use-operator.ts';
import { type Action, type StockFields, useStockChange } from './use-stock-change.ts';

const ACTIONS: Record<Action, string> = {
  receive: 'Units came in',
  writeOff: 'Units are gone',
  recount: 'Units counted',
};
const EMPTY = { shopId: '', skuId: '', units: '', reason: '' };

export function StockForm() {
  const [action, setAction] = useState<Action>('receive');
  const [fields, setFields] = useState<StockFields>(EMPTY);
  const { run, stock, missing, send } = useStockChange(action, fields, () =>
    setFields({ ...fields, units: '', reason: '' }),
  );
  const failure = run.error ? failureOf(run.error) : undefined;
  const mayChange = useOperator();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const field = (name: keyof typeof EMPTY, label: string, problemOf: readonly string[]) => (
    <TextField
      look="console"
      label={label}
      name={name}
      value={fields[name]}
      required
      onChange={(event) => {
        setFields({ ...fields, [name]: event.target.value });
        run.reset();
      }}
      problem={failure?.field && problemOf.includes(failure.field) ? failure.message : undefined}
    />
  );
  const shown = failure && !['shopId', 'skuId', 'quantity', 'counted', 'reason'].includes(failure.field ?? '');
  return (
    <Panel title="Change by hand">
      <form onSubmit={submit} className="grid gap-3 p-3 sm:grid-cols-2" data-form="stock">
        {field('shopId', 'Shop', ['shopId'])}
        {field('skuId', 'SKU', ['skuId'])}
        <StockFigures stock={stock} missing={missing} />
        <ActionChoice value={action} onChange={setAction} />
        {field('units', action === 'recount' ? 'Units on hand' : 'Units', ['quantity', 'counted'])}
        {field('reason', 'Reason', ['reason'])}
        <SendButton busy={run.isPending} why={mayChange ? undefined : NEEDS_OPERATOR}>
          {run.isPending ? 'Booking' : 'Book'}
        </SendButton>
        {shown && (
          <p role="alert" className="text-sm text-drift-down sm:col-span-2">
            {failure.message}
          </p>
        )}
        {run.isSuccess && (
          <p role="status" className="text-sm text-soft sm:col-span-2">
            Booked.
          </p>
        )}
      </form>
    </Panel>
  );
}

interface Figures {
  readonly totalQuantity: number;
  readonly reservedQuantity: number;
}

function StockFigures({ stock, missing }: { stock: Figures | undefined; missing: boolean }) {
  return (
    <p className="text-xs text-soft sm:col-span-2">
      {stock
        ? `On hand ${stock.totalQuantity}, of them held by buyers ${stock.reservedQuantity}.`
        : missing
          ? 'No stock of this SKU yet.'
          : 'Name a shop and a SKU.'}
    </p>
  );
}

function ActionChoice({ value, onChange }: { value: Action; onChange: (action: Action) => void }) {
  return (
    <fieldset className="flex flex-wrap gap-x-4 gap-y-1 sm:col-span-2">
      <legend className="sr-only">What happened</legend>
      {Object.entries(ACTIONS).map(([action, words]) => (
        <label key={action} className="flex items-center gap-2 text-sm">
          <input type="radio" name="action" checked={value === action} onChange={() => onChange(action as Action)} />
          {words}
        </label>
      ))}
    </fieldset>
  );
}
