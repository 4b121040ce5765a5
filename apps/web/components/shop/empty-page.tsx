import Link from 'next/link';
import { Art } from '../art/art.tsx';
import { buttonLook } from '../ui/button-look.ts';

interface EmptyPageProps {
  readonly art: string;
  readonly title: string;
  readonly text: string;
  readonly href: string;
  readonly action: string;
}

/** Nothing here, drawn, with one next step. */
export function EmptyPage({ art, title, text, href, action }: EmptyPageProps) {
  return (
    <div className="flex flex-col items-center gap-5 py-16 text-center">
      <div className="wash tone-foam grid size-44 place-items-center rounded-full">
        <Art art={art} className="w-28" />
      </div>
      <h2 className="display text-xl">{title}</h2>
      <p className="measure text-soft">{text}</p>
      <Link href={href} className={buttonLook({ look: 'quiet', size: 'small' })}>
        {action}
      </Link>
    </div>
  );
}
