/** Drawings for cabin and galley. Classes name inks: a and b the two tones, c the light one (app/art.css). */
export function Lantern() {
  return (
    <>
      <path d="M54 50C54 10 106 10 106 50" />
      <path className="a" d="M60 48h40l9 16H51z" />
      <path className="b bare" d="M84 50h15l7 12H84z" />
      <path className="c" d="M56 64h48v48H56z" />
      <path className="g" d="M80 70c9 11 13 18 13 25a13 13 0 0 1-26 0c0-7 4-14 13-25z" />
      <path className="c bare" d="M80 90c4 5 5 7 5 10a5 5 0 0 1-10 0c0-3 1-5 5-10z" />
      <path className="fine" d="M56 80h-6v16h6M104 80h6v16h-6" />
      <path className="a" d="M50 112h60l6 18H44z" />
      <path className="b bare" d="M84 114h24l5 14H84z" />
      <rect className="b" x="40" y="130" width="80" height="10" rx="5" />
    </>
  );
}

export function Mug() {
  return (
    <>
      <path d="M106 70h12a16 16 0 0 1 16 16v6a20 20 0 0 1-20 20h-8" strokeWidth="15" />
      <path className="la" d="M106 70h12a16 16 0 0 1 16 16v6a20 20 0 0 1-20 20h-8" strokeWidth="7" />
      <path className="a" d="M36 54h72v68a14 14 0 0 1-14 14H50a14 14 0 0 1-14-14z" />
      <path className="b bare" d="M88 58h18v64a12 12 0 0 1-12 12H82c5-2 6-8 6-14z" />
      <rect className="ink" x="31" y="47" width="82" height="11" rx="5.5" />
      <path className="fine" d="M58 36c-5-6 5-9 0-16M76 36c-5-6 5-9 0-16" />
      <path className="grain" d="M48 76h4v4h-4zM62 92h4v4h-4zM52 112h4v4h-4zM72 74h3v3h-3zM74 116h4v4h-4z" />
    </>
  );
}

export function Knife() {
  return (
    <g transform="rotate(42 80 80)">
      <path className="c" d="M72 84V30c0-12 10-20 18-22v76z" />
      <path className="fine" d="M81 78V30" />
      <rect className="ink" x="66" y="82" width="30" height="9" rx="3" />
      <path className="a" d="M69 91h24l4 46a16 16 0 0 1-32 0z" />
      <path className="b bare" d="M83 93h8l4 44a14 14 0 0 1-12 13z" />
      <circle className="c fine" cx="81" cy="106" r="3.5" />
      <circle className="c fine" cx="81" cy="126" r="3.5" />
      <path className="lc" d="M81 144c-2 12 14 14 16 4" strokeWidth="3" />
    </g>
  );
}

export function Print() {
  return (
    <>
      <rect className="b" x="34" y="16" width="92" height="124" rx="2" />
      <rect className="c" x="44" y="26" width="72" height="104" />
      <path className="la" d="M80 118C80 92 70 84 72 62s10-20 8-28" strokeWidth="5" />
      <path
        className="a bare"
        d="M78 98c-18-2-22-14-22-24 12 0 20 8 22 24zM76 76c-14-4-16-14-14-24 10 4 16 12 14 24zM79 110c18-2 24-14 24-26-14 2-23 10-24 26zM74 86c16-4 20-16 18-28-12 5-19 14-18 28zM77 58c-2-12 4-18 12-22 2 10-2 18-12 22z"
      />
      <path className="fine" d="M60 122h40" />
      <path className="lb" d="M66 118c4-8 8-4 10 0M84 118c3-7 8-5 9 0" strokeWidth="3" />
    </>
  );
}

export function Blanket() {
  return (
    <>
      <path className="b" d="M30 108h100v22a8 8 0 0 1-8 8H38a8 8 0 0 1-8-8z" />
      <path className="a" d="M30 82h100a0 0 0 0 1 0 0v20a8 8 0 0 1-8 8H38a8 8 0 0 1-8-8z" />
      <path className="a" d="M42 50h76a12 12 0 0 1 12 12v14a8 8 0 0 1-8 8H38a8 8 0 0 1-8-8V62a12 12 0 0 1 12-12z" />
      <path className="c bare" d="M54 52h10v30H54zM54 84h10v24H54zM54 110h10v26H54z" />
      <path className="b bare" d="M72 52h6v30h-6zM72 84h6v24h-6z" />
      <path className="a bare" d="M72 110h6v26h-6z" />
      <path className="fine" d="M40 138v8M52 138v8M64 138v8M76 138v8M88 138v8M100 138v8M112 138v8M122 138v8" />
      <path
        className="grain"
        d="M90 60h3v3h-3zM104 70h3v3h-3zM96 96h3v3h-3zM112 92h3v3h-3zM88 122h3v3h-3zM108 126h3v3h-3z"
      />
    </>
  );
}

/** An oil lamp that hangs level in its ring. */
export function Lamp() {
  return (
    <>
      <path d="M24 18h112" strokeWidth="7" />
      <path className="fine" d="M80 20v10" />
      <circle cx="80" cy="82" r="52" strokeWidth="12" />
      <circle className="la" cx="80" cy="82" r="52" strokeWidth="5" />
      <path className="c" d="M66 96c-10-16-6-32 0-38h28c6 6 10 22 0 38z" />
      <path className="g" d="M80 62c8 9 10 15 10 21a10 10 0 0 1-20 0c0-6 2-12 10-21z" />
      <path className="b" d="M68 50h24l3 8H65z" />
      <path className="a" d="M58 96h44l-6 24a6 6 0 0 1-6 5H70a6 6 0 0 1-6-5z" />
      <path className="b bare" d="M84 98h15l-5 22a4 4 0 0 1-4 3h-8z" />
      <circle className="c fine" cx="28" cy="82" r="6" />
      <circle className="c fine" cx="132" cy="82" r="6" />
      <path className="fine" d="M34 82h24M102 82h24" />
    </>
  );
}

/** A tin of postcards, one of them showing a channel buoy. */
export function Tin() {
  return (
    <>
      <g transform="rotate(-9 70 60)">
        <path className="c" d="M44 20h52v74H44z" />
        <path className="lb fine" d="M50 64c6-6 10 4 16 0s10-4 14 0 6 2 10-2" />
        <path className="b" d="M64 60l4-22h6l4 22z" />
        <path className="fine" d="M71 38v-8" />
      </g>
      <path className="c" d="M78 36h44v60H78z" transform="rotate(10 100 66)" />
      <path className="fine" d="M92 52h22M90 62h22" transform="rotate(10 100 66)" />
      <path className="a" d="M30 82h100v46a10 10 0 0 1-10 10H40a10 10 0 0 1-10-10z" />
      <path className="b bare" d="M108 84h20v44a8 8 0 0 1-8 8h-20c6-2 8-6 8-10z" />
      <rect className="b" x="25" y="74" width="110" height="13" rx="6.5" />
      <path className="c" d="M50 98h44v26H50z" />
      <path className="lb fine" d="M57 114c5-8 9 3 14-2s8-4 15 2M62 106h18" />
    </>
  );
}
