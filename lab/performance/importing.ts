// node lab/performance/importing.ts [pages]: help pages imported per minute by a real server, from the first
// byte sent to the last vector stored; then the same pages with one sentence changed in each.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { spawnServer } from '../../server/test/harness/spawn-server.ts'
import { helpPages } from './load/help-pages.ts'

const ADMIN_TOKEN = 'bench-token-bench-token-bench-token'
const LOOK_MS = 100

const pages = helpPages(Number(process.argv[2] ?? 200))
const words = pages.reduce((sum, { html }) => sum + html.replace(/<[^>]*>/g, ' ').split(/\s+/).length, 0) / pages.length
const dataDir = mkdtempSync(join(tmpdir(), 'docent-importing-'))
const server = spawnServer({ dataDir, environment: { ADMIN_TOKEN } })
try {
  const base = `http://127.0.0.1:${await server.listening}/api/manage/v1`
  const workspace = await call('POST', `${base}/workspaces`, { name: 'Bench', plan: 'enterprise' })
  const bot = await call('POST', `${base}/bots`, { name: 'Bench', workspace_id: workspace.id, language: 'en' })
  // The models start with the first text: a one-off cost.
  await importAll([{ id: 'first', title: 'First', text: 'One text to start with.' }])
  const { seconds, passages } = await importAll(pages)
  console.log(
    `${pages.length} pages of ${words.toFixed(0)} words, ${passages} passages, all embedded after ${seconds.toFixed(1)} s: ` +
      `${((pages.length * 60) / seconds).toFixed(0)} pages a minute, ${(passages / seconds).toFixed(0)} passages a second`,
  )
  const changedPages = pages.map((page) => ({ ...page, html: `${page.html}<h2>News</h2><p>Changed today.</p>` }))
  const again = await importAll(changedPages)
  console.log(
    `the same with a section added: ${again.seconds.toFixed(1)} s, ${((pages.length * 60) / again.seconds).toFixed(0)} pages a minute`,
  )

  async function importAll(documents: object[]) {
    const startedAt = performance.now()
    await call('POST', `${base}/bots/${bot.id}/documents`, { documents })
    for (;;) {
      const { knowledge } = await call('GET', `${base}/bots/${bot.id}`)
      if (knowledge && knowledge.passages > 0 && knowledge.embedded_passages >= knowledge.passages)
        return { seconds: (performance.now() - startedAt) / 1000, passages: knowledge.passages }
      await pause(LOOK_MS)
    }
  }
} finally {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function call(method: string, url: string, body?: object) {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`)
  return (await response.json()) as { id: string; knowledge?: { passages: number; embedded_passages: number } }
}
