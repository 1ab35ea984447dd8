// CPU time and memory of a process and its descendants (Linux).
import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100
const PAGE_BYTES = 4096

interface ProcessStat {
  pid: number
  parent: number
  name: string
  cpuSeconds: number
  residentBytes: number
}

export interface TreeUse {
  cpuSeconds: number
  residentBytes: number
}

/** Only processes of this name, if given. */
export function treeUse(root: number, name?: string): TreeUse {
  const all = listProcesses()
  const tree = new Set([root])
  for (let size = 0; size < tree.size; ) {
    size = tree.size
    for (const { pid, parent } of all) if (tree.has(parent)) tree.add(pid)
  }
  const processes = all.filter((each) => tree.has(each.pid) && (name === undefined || each.name === name))
  return {
    cpuSeconds: processes.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    residentBytes: processes.reduce((sum, { residentBytes }) => sum + residentBytes, 0),
  }
}

function listProcesses(): ProcessStat[] {
  return readdirSync('/proc').flatMap((entry) => {
    const pid = Number(entry)
    if (!Number.isInteger(pid)) return []
    try {
      return [parseStat(pid, readFileSync(`/proc/${pid}/stat`, 'utf8'))]
    } catch {
      // It ended in the meantime.
      return []
    }
  })
}

/** The name is in parentheses and may contain anything. */
function parseStat(pid: number, stat: string): ProcessStat {
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const field = (number: number) => fields[number - 3] ?? 0
  return {
    pid,
    parent: field(4),
    name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')),
    // Includes children that have ended.
    cpuSeconds: (field(14) + field(15) + field(16) + field(17)) / TICKS_PER_SECOND,
    residentBytes: field(24) * PAGE_BYTES,
  }
}
