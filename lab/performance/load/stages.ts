// CPU time of a turn by stage: each sample of a V8 profile counts for the innermost of our files on its stack.
import { readFileSync } from 'node:fs'

interface ProfileNode {
  id: number
  callFrame: { functionName: string; url: string; lineNumber: number }
  children?: number[]
}

interface Profile {
  nodes: ProfileNode[]
  startTime: number
  samples: number[]
  timeDeltas: number[]
}

/** The first match of a frame's "file function" names the stage; frames without a match count for their caller. */
const STAGES: [RegExp, string][] = [
  [/access\/(chat-keys|secrets|bearer)|storage\/keys/, 'authenticate'],
  [/access\/quota|storage\/quota|storage\/engines\/sqlite\.ts .*:write/, 'quota'],
  [/storage\/conversations\.ts (findId|listMessages|fromRow)/, 'history'],
  [/knowledge\/|storage\/documents/, 'retrieve'],
  [/answers\//, 'compose'],
  [/storage\/sqlite\.ts (flush|commitTogether|runMember)|storage\/conversations/, 'write'],
  [/storage\/bots/, 'find bot'],
  [/conversations\//, 'conversation'],
  [/\/(metrics|ids)\.ts|pino|sonic-boom/, 'log and figures'],
  [/server\/src\/(http|app)|fastify|ajv|node:(internal\/)?(_?http|net|stream)/, 'http'],
]
const engineStages = new Map([
  ['(garbage collector)', 'garbage collection'],
  ['(program)', 'native, system'],
])

export interface StageCosts {
  /** CPU time in microseconds. */
  byStage: Map<string, number>
  /** Self time by function. */
  byFunction: Map<string, number>
}

/** For samples between two monotonic times, in microseconds. */
export function stageCosts(path: string, from: number, to: number): StageCosts {
  const profile: Profile = JSON.parse(readFileSync(path, 'utf8'))
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const parents = new Map(profile.nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id])))
  const names = new Map<number, { stage: string | null; label: string }>()

  function nameOf(id: number): { stage: string | null; label: string } {
    const cachedName = names.get(id)
    if (cachedName) return cachedName
    const { callFrame } = nodes.get(id) as ProfileNode
    const label = labelOf(callFrame)
    const parent = parents.get(id)
    const stage =
      engineStages.get(callFrame.functionName) ??
      STAGES.find(([pattern]) => pattern.test(label))?.[1] ??
      (parent === undefined ? null : nameOf(parent).stage)
    names.set(id, { stage, label })
    return { stage, label }
  }

  const byStage = new Map<string, number>()
  const byFunction = new Map<string, number>()
  let now = profile.startTime
  for (const [index, id] of profile.samples.entries()) {
    const elapsed = profile.timeDeltas[index] ?? 0
    now += elapsed
    if (now < from || now > to || nodes.get(id)?.callFrame.functionName === '(idle)') continue
    const { stage, label } = nameOf(id)
    add(byStage, stage ?? 'other', elapsed)
    add(byFunction, label, elapsed)
  }
  return { byStage, byFunction }
}

const sources = new Map<string, string[]>()

/** "server/src/access/quota.ts utcDay"; an anonymous function is named after the start of its line. */
function labelOf({ functionName, url, lineNumber }: ProfileNode['callFrame']): string {
  const path = url.replace(/^.*\/(?=(server|contract)\/src\/)|^.*\/node_modules\//, '')
  if (functionName || !url.startsWith('file:')) return `${path} ${functionName || '(nameless)'}`
  const lines = sources.get(url) ?? readFileSync(new URL(url), 'utf8').split('\n')
  sources.set(url, lines)
  const property = /^\s*(\w+)[:(]/.exec(lines[lineNumber] ?? '')?.[1]
  return `${path} (nameless):${property ?? lineNumber + 1}`
}

function add(map: Map<string, number>, key: string, value: number) {
  map.set(key, (map.get(key) ?? 0) + value)
}
