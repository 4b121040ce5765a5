/**
 * A planted fault: one rule of the protocol broken in one place, to see that a test notices. It is an exact replacement
 * in the sources of today, made when they are loaded or, for SQL, in a test database after its migrations. The
 * product itself has no switch and knows nothing of it.
 */

/** `find` occurs exactly once in its file. */
export interface Edit {
  readonly find: string;
  readonly replace: string;
}

export type Place =
  /** From the root; `.ts`, or `.lua` of the gate. */
  | { readonly file: string; readonly edits: readonly Edit[] }
  /** SQL functions as their newest migration defines them; each edit is found in at least one. */
  | { readonly functions: readonly string[]; readonly edits: readonly Edit[] }
  /** What the schema keeps, taken away by one statement. */
  | { readonly statement: string };

export interface Plant {
  readonly name: string;
  /** As in `P11`. */
  readonly rule: string;
  /** What goes wrong, for the table. */
  readonly sentence: string;
  readonly place: Place;
  /** The cheapest test that fails under it: its file from `packages/core/src`, and how its title begins. */
  readonly caughtBy: { readonly file: string; readonly title: string };
}

/** @throws when the text has moved on, so that a plant never quietly does nothing */
export function replaceOnce(text: string, { find, replace }: Edit, where: string): string {
  const parts = text.split(find);
  if (parts.length !== 2) throw new Error(`${where}: found ${parts.length - 1} times, not once:\n${find}`);
  return parts.join(replace);
}

export function plantText(text: string, edits: readonly Edit[], where: string): string {
  return edits.reduce((changed, edit) => replaceOnce(changed, edit, where), text);
}

/** @throws unless each edit applies to one of the functions at least */
export function plantFunctions(definitions: readonly string[], edits: readonly Edit[], where: string): string[] {
  for (const edit of edits)
    if (!definitions.some((text) => text.includes(edit.find)))
      throw new Error(`${where}: in none of the functions:\n${edit.find}`);
  return definitions.map((text) =>
    plantText(
      text,
      edits.filter(({ find }) => text.includes(find)),
      where,
    ),
  );
}
