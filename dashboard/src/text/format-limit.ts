import { currentLanguage } from '../texts/texts.tsx'

/** Rounded down, because a file of the size that is shown must fit; operators set binary megabytes. */
export function formatLimit(bytes: number): string {
  const [unit, size] = bytes < 1024 ** 2 ? (['kilobyte', 1024] as const) : (['megabyte', 1024 ** 2] as const)
  return new Intl.NumberFormat(currentLanguage(), { style: 'unit', unit }).format(Math.floor(bytes / size))
}
