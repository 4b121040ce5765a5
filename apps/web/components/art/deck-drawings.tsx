/** Drawings for deck and shore. Classes name inks: a and b the two tones, c the light one (app/art.css). */
function Loop({ y }: { y: number }) {
  return (
    <>
      <ellipse cx="80" cy={y} rx="46" ry="17" strokeWidth="23" />
      <ellipse className="la" cx="80" cy={y} rx="46" ry="17" strokeWidth="15" />
      <ellipse
        className="lb"
        cx="80"
        cy={y}
        rx="46"
        ry="17"
        strokeWidth="15"
        strokeDasharray="2.5 9"
        strokeLinecap="butt"
      />
    </>
  );
}

export function Rope() {
  const tail = 'M44 74C20 56 40 26 66 34';
  return (
    <>
      <Loop y={112} />
      <Loop y={94} />
      <Loop y={76} />
      <path d={tail} strokeWidth="21" />
      <path className="la" d={tail} strokeWidth="13" />
      <path className="lb" d={tail} strokeWidth="13" strokeDasharray="2.5 9" strokeLinecap="butt" />
      <path className="lc" d="M58 32l8 2" strokeWidth="13" strokeLinecap="butt" />
    </>
  );
}

export function Drybag() {
  return (
    <>
      <path d="M50 40C44 8 116 8 110 40" />
      <path className="a" d="M46 50h68l7 80a10 10 0 0 1-10 11H49a10 10 0 0 1-10-11z" />
      <path className="b bare" d="M94 52h18l7 78a9 9 0 0 1-8 9H94c4-28 4-60 0-87z" />
      <rect className="b" x="40" y="36" width="80" height="17" rx="8.5" />
      <rect className="c" x="69" y="32" width="22" height="25" rx="4" />
      <path className="c" d="M54 78h40v34H54z" />
      <path className="lb fine" d="M60 102c4-10 6-4 9-10s6-10 9-4 6 8 10-2" />
      <path className="fine" d="M46 66h69" />
    </>
  );
}

export function Boots() {
  return (
    <>
      <path className="b" d="M92 26h32v64c0 6 20 8 26 20 4 8 2 18-4 22H92z" />
      <rect className="c" x="90" y="22" width="36" height="12" rx="4" />
      <path className="ink" d="M92 128h56v8a4 4 0 0 1-4 4H92z" />
      <path className="a" d="M38 30h36v62c0 6 26 8 34 20 5 8 3 18-4 22H38z" />
      <path className="b bare" d="M40 106c14 4 40 2 58-2 8 6 12 16 7 24H40z" />
      <rect className="c" x="36" y="26" width="40" height="13" rx="4" />
      <path className="ink" d="M38 130h70v7a5 5 0 0 1-5 5H42a4 4 0 0 1-4-4z" />
      <path className="lc fine" d="M48 50v30" />
    </>
  );
}

/** The storm warning tee: two black cones, point up, say a gale from the north. */
export function Tee() {
  return (
    <>
      <path className="a" d="M56 28c8 12 40 12 48 0l28 14 16 34-24 12-8-14v66H44V74l-8 14-24-12 16-34z" />
      <path className="b bare" d="M98 36l6-5 26 13 14 30-19 9-11-19v74H98c5-34 5-68 0-102z" />
      <path d="M54 28c8 16 44 16 52 0" strokeWidth="9" />
      <path className="lb" d="M54 28c8 16 44 16 52 0" strokeWidth="3" />
      <path className="ink bare" d="M80 62l15 25H65zM80 93l15 25H65z" />
      <path className="fine" d="M80 54v8" />
    </>
  );
}

/** A ribbed cap, turned up twice. */
export function WatchCap() {
  return (
    <>
      <path className="a" d="M36 100c0-50 16-74 44-74s44 24 44 74z" />
      <path className="b bare" d="M92 30c20 8 29 32 30 66h-20c2-26-2-50-10-66z" />
      <path
        className="fine"
        d="M52 92c0-26 6-46 14-58M68 92c0-26 3-48 8-62M92 92c0-26-3-48-8-62M108 92c0-26-6-46-14-58"
      />
      <rect className="b" x="28" y="86" width="104" height="26" rx="10" />
      <rect className="a" x="26" y="104" width="108" height="30" rx="11" />
      <path className="fine" d="M42 110v18M54 110v18M67 110v18M80 110v18M93 110v18M106 110v18M118 110v18" />
      <rect className="c fine" x="92" y="112" width="18" height="14" rx="2" />
    </>
  );
}
