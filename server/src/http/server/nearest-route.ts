// The route that a caller of an unknown path probably meant.
import { typosBetween } from '../../typos.ts'

interface KnownRoute {
  method: string
  /** As Fastify writes it: /api/manage/v1/bots/:botId */
  path: string
}

/** Longer paths are nobody's typing error, and comparing takes time. */
const LONGEST_PATH = 200
const MAX_TYPOS = 2

/** "POST /api/v1/chat", or null if nothing is near. One segment may differ by a few letters, be missing or be too many. */
export function nearestRoute(knownRoutes: readonly KnownRoute[], method: string, path: string): string | null {
  if (path.length > LONGEST_PATH) return null
  const wantedSegments = segmentsOf(path.toLowerCase())
  let nearest: { route: KnownRoute; distance: number } | null = null
  for (const route of knownRoutes) {
    const distance =
      distanceOf(wantedSegments, segmentsOf(route.path.toLowerCase())) + (route.method === method ? 0 : 0.5)
    if (distance < (nearest?.distance ?? MAX_TYPOS + 1)) nearest = { route, distance }
  }
  return nearest && `${nearest.route.method} ${nearest.route.path.replace(/:(\w+)/g, '{$1}')}`
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter(Boolean)
}

/** Letters that differ, or infinity for more than one segment. A missing or extra segment counts as the most typos. */
function distanceOf(wantedSegments: string[], knownSegments: string[]): number {
  if (wantedSegments.length === knownSegments.length) return differenceOf(wantedSegments, knownSegments)
  const [longer, shorter] =
    wantedSegments.length > knownSegments.length ? [wantedSegments, knownSegments] : [knownSegments, wantedSegments]
  if (longer.length - shorter.length > 1) return Number.POSITIVE_INFINITY
  const without = longer.map((_, at) => longer.toSpliced(at, 1))
  return without.some((segments) => differenceOf(segments, shorter) === 0) ? MAX_TYPOS : Number.POSITIVE_INFINITY
}

function differenceOf(wantedSegments: string[], knownSegments: string[]): number {
  const differences = wantedSegments.filter((segment, at) => !isSame(segment, knownSegments[at] ?? ''))
  if (differences.length !== 1) return differences.length === 0 ? 0 : Number.POSITIVE_INFINITY
  const [segment = ''] = differences
  const other = knownSegments[wantedSegments.indexOf(segment)] ?? ''
  return Math.abs(segment.length - other.length) > MAX_TYPOS ? Number.POSITIVE_INFINITY : typosBetween(segment, other)
}

function isSame(one: string, other: string): boolean {
  return one === other || one.startsWith(':') || other.startsWith(':')
}
