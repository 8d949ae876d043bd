import { withClient } from '../lib/database.ts'
import { atMost, type Figure } from '../lib/figure.ts'
import { seedOrganization } from '../lib/seed.ts'
import { startSortie } from '../lib/sortie.ts'
import { spread } from '../lib/statistics.ts'

const PARAGRAPHS = 500
const PARAGRAPH =
  'Consultants write what they saw, and somebody else writes beside them, so that a text grows from two ends at once and nothing of it is lost in the end. '
const FEW_PAGES = 100
const MANY_PAGES = 10_000
const SAVES_A_ROUND = 10
const SEARCHES_A_ROUND = 30

interface Page {
  id: string
  revision: number
  body: string
}

export const p14: Figure = {
  name: 'P14',
  title: `Saving a page of 100 kB with a merge; full-text search over ${MANY_PAGES.toLocaleString('en')} pages`,
  measure: async (bench) => {
    const url = await bench.database.createMigrated('p14')
    const sideOf = async (name: string) => {
      const organization = await seedOrganization(url, name, 10)
      await withClient(url, (client) =>
        client.query(`update api_keys set scopes = '{organizations:read,organizations:write,wiki:read,wiki:write}' where id = $1`, [organization.keyId]),
      )
      return { ...organization.headers, 'content-type': 'application/json' }
    }
    const [few, many] = [await sideOf('few'), await sideOf('many')]
    const sortie = await startSortie(url)
    const ask = async <T>(headers: Record<string, string>, method: string, path: string, body?: object): Promise<T> => {
      const response = await fetch(`${sortie.origin}/api/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
      return (await response.json()) as T
    }
    const fill = async (headers: Record<string, string>, count: number) => {
      const { data } = await ask<{ data: { id: string } }>(headers, 'POST', '/engagements', { name: 'Pages' })
      for (let index = 0; index < count; index++) {
        // A word in one page of a hundred, and others in all.
        const body = `Notes of host ${index}. ${PARAGRAPH.repeat(10)} ${index % 100 === 0 ? 'kerberoasting' : 'nothing'}`
        await ask(headers, 'POST', '/wiki-pages', { engagementId: data.id, title: `Page ${index}`, body })
      }
    }
    try {
      const started = performance.now()
      await fill(few, FEW_PAGES)
      await fill(many, MANY_PAGES)
      bench.note(`${MANY_PAGES} pages written in ${((performance.now() - started) / 1_000).toFixed(0)} s`)
      const text = Array.from({ length: PARAGRAPHS }, (_, index) => `${index}: ${PARAGRAPH}${'x'.repeat(40)}`)
      const made = (await ask<{ data: Page }>(few, 'POST', '/wiki-pages', { title: 'Long', body: text.join('\n\n') })).data
      const save = async (baseRevision: number, lines: readonly string[]) => {
        const began = performance.now()
        const { data, meta } = await ask<{ data: Page; meta: { merged: boolean } }>(few, 'PATCH', `/wiki-pages/${made.id}`, {
          body: lines.join('\n\n'),
          baseRevision,
        })
        return { page: data, merged: meta.merged, ms: performance.now() - began }
      }
      const merges: number[] = []
      let base = made
      for (let round = 0; round < bench.rounds * SAVES_A_ROUND; round++) {
        const lines = base.body.split('\n\n')
        const changed = (at: number) => lines.map((line, index) => (index === at ? `${line} round ${round}` : line))
        await save(base.revision, changed(round % 200))
        const second = await save(base.revision, changed(300 + (round % 200)))
        if (!second.merged) throw new Error('nothing was merged')
        merges.push(second.ms)
        base = second.page
      }
      const addressOf = (word: string) => `${sortie.origin}/api/v1/search?q=${word}&type=page`
      const searches: Record<string, number[][]> = { kerberoasting: [], consultants: [] }
      for (let round = 0; round < bench.rounds; round++) {
        for (const [word, rounds] of Object.entries(searches)) {
          rounds.push(await bench.sender.alternate({ urls: [addressOf(word), addressOf(word)], headers: [few, many], requests: SEARCHES_A_ROUND }))
        }
      }
      return [
        atMost('save with merge', 30, 'ms', spread(merges)),
        ...Object.entries(searches).flatMap(([word, rounds]) => [
          atMost(`search for ${word}`, 50, 'ms', spread(rounds.map(([, ofMany]) => ofMany as number))),
          atMost(`search for ${word} against ${FEW_PAGES} pages`, 2, 'x', spread(rounds.map(([ofFew, ofMany]) => (ofMany as number) / (ofFew as number)))),
        ]),
      ]
    } finally {
      await sortie.stop()
    }
  },
}
