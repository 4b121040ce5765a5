/** The chosen theme travels in a cookie, so that the first paint is right; without one the system decides. */
export const THEME_COOKIE = 'hf_theme';
export type Theme = 'light' | 'dark';

export function isTheme(value: string | undefined): value is Theme {
  return value === 'light' || value === 'dark';
}
