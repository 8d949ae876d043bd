import { withClient } from '../lib/database.ts'
import { atMost, type Figure } from '../lib/figure.ts'
import { seedOrganization } from '../lib/seed.ts'
import { startSortie } from '../lib/sortie.ts'
import { spread } from '../lib/statistics.ts'

const PASTED = 10_000
const RULES = 500
const TARGETS = 100_000

export const p11: Figure = {
  name: 'P11',
  title: `Paste of ${PASTED.toLocaleString('en')} targets beside ${RULES} scope rules; judging ${TARGETS.toLocaleString('en')} anew`,
  measure: async (bench) => {
    const url = await bench.database.createMigrated('p11')
    const organization = await seedOrganization(url, 'targets', 10)
    await withClient(url, (client) =>
      client.query(`update api_keys set scopes = '{organizations:read,organizations:write,targets:read,targets:write}' where id = $1`, [organization.keyId]),
    )
    const sortie = await startSortie(url, { TARGET_LIMIT: '1000000' })
    const ask = async (method: string, path: string, body: object): Promise<{ data: { id: string } }> => {
      const headers = { ...organization.headers, 'content-type': 'application/json' }
      const response = await fetch(`${sortie.origin}/api/v1${path}`, { method, headers, body: JSON.stringify(body) })
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
      return (await response.json()) as { data: { id: string } }
    }
    const msOf = async (work: Promise<unknown>): Promise<number> => {
      const started = performance.now()
      await work
      return performance.now() - started
    }
    const engagement = async (name: string): Promise<string> => {
      const { data } = await ask('POST', '/engagements', { name })
      await ask('POST', '/scope-rules/bulk', { engagementId: data.id, effect: 'allow', text: lines(RULES, (i) => `10.${i >> 8}.${i & 255}.0/24`) })
      return data.id
    }
    const paste = (engagementId: string, round: number) =>
      ask('POST', '/targets/bulk', { engagementId, text: lines(PASTED, (i) => `10.${round * 16 + (i >> 10)}.${(i >> 4) & 63}.${i & 15}`) })
    try {
      const pasted: number[] = []
      for (let round = 0; round < bench.rounds; round++) pasted.push(await msOf(paste(await engagement(`Pasted ${round}`), 0)))
      const large = await engagement('Large')
      for (let round = 0; round < TARGETS / PASTED; round++) await paste(large, round)
      const judged: number[] = []
      for (let round = 0; round < bench.rounds; round++) {
        const rule = { engagementId: large, effect: round % 2 ? 'caution' : 'deny', pattern: `10.${round}.0.0/16` }
        judged.push(await msOf(ask('POST', '/scope-rules', rule)))
      }
      return [atMost('paste', 2_000, 'ms', spread(pasted)), atMost('judging anew', 2_000, 'ms', spread(judged))]
    } finally {
      await sortie.stop()
    }
  },
}

const lines = (count: number, line: (i: number) => string): string => Array.from({ length: count }, (_, i) => line(i)).join('\n')
