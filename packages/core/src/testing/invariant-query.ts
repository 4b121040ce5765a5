/** An invariant as data: a query that finds what breaks it. */
export interface InvariantQuery {
  /** Number in design section 12. */
  readonly invariant: number;
  readonly sentence: string;
  /** Returns `subject` and `detail` of each violation. */
  readonly sql: string;
}
