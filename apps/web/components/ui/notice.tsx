import { CircleAlert, Info, type LucideIcon, Waves } from 'lucide-react';
import type { ReactNode } from 'react';
import { join } from './join.ts';

const LOOKS: Record<'plain' | 'held' | 'wrong', { box: string; icon: LucideIcon }> = {
  plain: { box: 'border-line bg-foam text-ink', icon: Info },
  held: { box: 'border-held/40 bg-held-wash text-ink', icon: Waves },
  wrong: { box: 'border-drift-down/40 bg-drift-down-wash text-ink', icon: CircleAlert },
};

interface NoticeProps {
  readonly look?: keyof typeof LOOKS;
  readonly title: string;
  readonly children?: ReactNode;
  readonly className?: string;
}

/** A quiet box that says what happened and what to do next. */
export function Notice({ look = 'plain', title, children, className }: NoticeProps) {
  const { box, icon: Icon } = LOOKS[look];
  return (
    <div
      role={look === 'wrong' ? 'alert' : 'status'}
      className={join('rise flex gap-3 rounded-shop border px-4 py-3.5 text-sm', box, className)}
    >
      <Icon size={18} className="mt-0.5 shrink-0" aria-hidden="true" />
      <div className="min-w-0 space-y-1">
        <p className="font-medium">{title}</p>
        {children && <div className="text-soft">{children}</div>}
      </div>
    </div>
  );
}
