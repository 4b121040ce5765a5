/** The planted text of a source as it is loaded: TypeScript as it stands, Lua within the module that carries it. */
import { type Edit, type Plant, plantText } from './plant.ts';

const CARRIER = 'packages/core/src/gate/lua.generated.ts';

/** @returns the changed text; undefined for a file that the plant leaves alone */
export function plantSource({ name, place }: Plant, path: string, text: string): string | undefined {
  if (!('file' in place)) return undefined;
  if (place.file.endsWith('.lua')) return path.endsWith(CARRIER) ? plantLua(text, place.edits, name) : undefined;
  return path.endsWith(place.file) ? plantText(text, place.edits, name) : undefined;
}

/** What stands in the prelude is carried once a verb. */
function plantLua(text: string, edits: readonly Edit[], name: string): string {
  const quoted = (part: string) => JSON.stringify(part).slice(1, -1);
  return edits.reduce((changed, { find, replace }) => {
    if (!changed.includes(quoted(find))) throw new Error(`${name}: not in ${CARRIER}:\n${find}`);
    return changed.replaceAll(quoted(find), () => quoted(replace));
  }, text);
}
