/** What a dry run would do, and what a run has done, in sentences. */
import { sayCause } from './cause-words.ts';
import { signed } from './difference.tsx';
import type { ReconcilePreview, ReconcileRun } from './types.ts';

const REMEDIES = {
  none: 'nothing to do',
  wait: 'waits for the next run',
  effects: 'would issue its effects again',
  reinstall: 'would load it anew',
  rebuild: 'would rebuild the gate',
} as const;
const SHOWN = 12;

export function PreviewResult({ preview }: { preview: ReconcilePreview }) {
  const { scanned, judged, unknown, moving, found, resumeAfter } = preview;
  return (
    <output className="block space-y-2 text-sm">
      <p>
        {judged} of {scanned} SKUs judged{unknown > 0 && `, ${unknown} not readable`}
        {moving > 0 && `, ${moving} moving`}. {found.length === 0 ? 'Nothing is unexplained.' : ''}
        {resumeAfter && ` Stopped after ${resumeAfter.skuId}.`}
      </p>
      {found.length > 0 && (
        <ul className="divide-y divide-line border-y border-line">
          {found.slice(0, SHOWN).map(({ shopId, skuId, remedy, unexplained, unknown: why, rows }) => (
            <li key={`${shopId}/${skuId}`} className="py-1.5">
              <span className="flex justify-between gap-3">
                <span className="truncate font-mono text-xs">{skuId}</span>
                <span className="figures text-xs font-semibold text-drift-down">
                  {why ? 'not known' : unexplained === 0 ? '0' : signed(unexplained)}
                </span>
              </span>
              <span className="block text-xs text-soft">
                {(why ? [sayCause(why)] : rows.map((row) => sayCause(row.cause))).join(', ')}: {REMEDIES[remedy]}
              </span>
            </li>
          ))}
        </ul>
      )}
      {found.length > SHOWN && <p className="text-xs text-soft">and {found.length - SHOWN} more</p>}
    </output>
  );
}

export function RunResult({ run }: { run: ReconcileRun }) {
  const { outcome, judged, skus, differing, reinstalled, effectsIssued, resumeAfter } = run;
  if (outcome === 'closed')
    return <output className="block text-sm">The gate is closed or does not answer. Nothing was judged.</output>;
  return (
    <output className="block text-sm">
      {judged} of {skus} SKUs judged, {differing} with an unexplained difference. {reinstalled} loaded anew,{' '}
      {effectsIssued} with effects issued again.
      {resumeAfter && ` The time ended after ${resumeAfter.skuId}; run it again to go on there.`}
    </output>
  );
}
