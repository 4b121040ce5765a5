/** Joins class names; a later Tailwind class of the same kind wins. */
import { type ClassValue, clsx } from 'clsx';
import { twMerge } from 'tailwind-merge';

export function join(...classes: ClassValue[]): string {
  return twMerge(clsx(classes));
}
