// The parts of an office document: a ZIP archive of XML files that refer to each other. One size limit covers all
// parts together.
import { type ParseLimits, UnreadableFile } from '../extraction/parse-limits.ts'
import { parseXml } from '../extraction/parse-xml.ts'
import { listZipEntries, unpackEntry } from './read-zip.ts'

export interface OfficeArchive {
  limits: ParseLimits
  has(name: string): boolean
  /** The XML of a part, or undefined where there is none. */
  part(name: string): string | undefined
  /** The parts that a part refers to. */
  relations(name: string): Relation[]
}

interface Relation {
  id: string
  /** The last word of its type, such as "styles". */
  kind: string
  /** The name of the part. */
  target: string
}

export function openOfficeArchive(bytes: Buffer, limits: ParseLimits): OfficeArchive {
  const entries = new Map(listZipEntries(bytes).map((entry) => [entry.name.replaceAll('\\', '/'), entry]))
  let room = limits.maxBytes

  function part(name: string): string | undefined {
    const entry = entries.get(name)
    if (!entry) return undefined
    if (entry.isEncrypted) throw new UnreadableFile('This file is password-protected.', 'password_protected')
    const content = unpackEntry(bytes, entry, Math.max(room, 1))
    room -= content.length
    return content.toString('utf8')
  }

  return {
    limits,
    has: (name) => entries.has(name),
    part,
    relations(name) {
      const at = name.lastIndexOf('/') + 1
      const relations: Relation[] = []
      parseXml(part(`${name.slice(0, at)}_rels/${name.slice(at)}.rels`) ?? '', limits.maxDepth, {
        open(element, { Id = '', Type = '', Target = '', TargetMode }) {
          if (!element.endsWith('Relationship') || TargetMode === 'External') return
          relations.push({ id: Id, kind: Type.split('/').at(-1) ?? '', target: partName(Target, name) })
        },
      })
      return relations
    },
  }
}

/** The part that the whole document starts from; programs name it differently. */
export function mainPart(archive: OfficeArchive, usualName: string): string {
  const target = archive.relations('').find(({ kind }) => kind === 'officeDocument')?.target
  return target !== undefined && archive.has(target) ? target : usualName
}

/** "../media/a.png" in "ppt/slides/slide1.xml" is "ppt/media/a.png". */
function partName(target: string, from: string): string {
  const url = URL.parse(target, `part:///${from}`)
  return url ? url.pathname.slice(1) : ''
}

/** Writes list items as nested lists. */
export function makeListWriter(out: string[]) {
  // Open lists, outermost first.
  const open: string[] = []

  function close(depth: number) {
    while (open.length > depth) out.push(`</${open.pop()}>`)
  }

  return {
    /** The number is null for a bullet. */
    add(text: string, number: number | null, depth: number) {
      const tag = number === null ? 'ul' : 'ol'
      const targetDepth = depth + 1
      close(targetDepth)
      if (open.length === targetDepth && open.at(-1) !== tag) close(targetDepth - 1)
      while (open.length < targetDepth) {
        open.push(tag)
        out.push(`<${tag}>`)
      }
      out.push(number === null ? `<li>${text}</li>\n` : `<li value="${number}">${text}</li>\n`)
    },
    end: () => close(0),
  }
}
