import { signed } from './difference.tsx';
import { sayBefore } from './say-before.ts';
import type { Finding } from './types.ts';

/** What one reconcile run found and repaired, SKU by SKU; closed until somebody asks. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  return (
    <details className="text-xs">
      <summary className="cursor-pointer py-1.5 text-soft hover:text-ink">
        {findings.length} {findings.length === 1 ? 'entry' : 'entries'} of this run
      </summary>
      <table className="mb-2 w-full border-collapse bg-foam">
        <thead>
          <tr className="h-7 border-b border-line text-left text-soft [&>th]:px-2.5 [&>th]:font-medium">
            <th scope="col">SKU</th>
            <th scope="col">entry</th>
            <th scope="col">gate before</th>
            <th scope="col" className="text-right">
              explained
            </th>
            <th scope="col" className="text-right">
              unexplained
            </th>
            <th scope="col">cause</th>
          </tr>
        </thead>
        <tbody>
          {findings.map((finding) => (
            <FindingRow key={`${finding.kind}/${finding.shopId}/${finding.skuId}`} finding={finding} />
          ))}
        </tbody>
      </table>
    </details>
  );
}

function FindingRow({ finding }: { finding: Finding }) {
  const { kind, shopId, skuId, before, explained, unexplained, cause } = finding;
  const unknown = 'unknown' in before;
  const figure = `figures text-right ${unknown ? 'hatched text-soft' : ''}`;
  return (
    <tr className="h-7 border-b border-line/70 last:border-b-0 [&>td]:px-2.5">
      <td className="whitespace-nowrap">
        <span className="font-mono">{skuId}</span> <span className="text-soft">{shopId}</span>
      </td>
      <td>{kind === 'REPAIR' ? 're-installed' : 'found'}</td>
      <td className="figures whitespace-nowrap">{sayBefore(before)}</td>
      <td className={figure}>{unknown ? '–' : explained && signed(explained)}</td>
      <td className={`${figure} ${unexplained === 0 ? '' : 'font-semibold text-drift-down'}`}>
        {unknown ? '–' : unexplained && signed(unexplained)}
      </td>
      <td>{cause}</td>
    </tr>
  );
}
