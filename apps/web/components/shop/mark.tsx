/** The shop's mark: a plant holding to its rock. */
export function Mark({ className = '' }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 32 32"
      aria-hidden="true"
      className={className}
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
    >
      <path d="M16 23C16 17 13 15 14.500 10S17 5 16.500 3" />
      <path
        d="M15 15c-5-.5-7-3.500-7-7.500 4 .3 6.500 3 7 7.500zM15.500 19.500c5.500-.5 8-4 8-8.500-4.800.5-7.600 3.600-8 8.500z"
        fill="currentColor"
        stroke="none"
      />
      <path d="M16 22c0 3-3 3.500-5 6M16 22c0 3 3 3.500 5 6M16 22v6.500M5 29h22" />
    </svg>
  );
}
