import { atMost, type Figure } from '../lib/figure.ts'
import { seedOrganization } from '../lib/seed.ts'
import { seedObjects } from '../lib/seed-objects.ts'
import { startSortie } from '../lib/sortie.ts'
import { spread } from '../lib/statistics.ts'

const SMALL = 10_000
const LARGE = 1_000_000
const PER_PAGE = 100
const REQUESTS_PER_ROUND = 15

/** Lists by what is asked of them, beside pages: filters alone with the default sort, other sorts, a search. */
const ASKED: Record<string, string[]> = {
  targets: ['', 'kind=domain', 'kind=cloud', 'verdict=in', 'criticality=high', 'sort=canonical', 'sort=criticality', 'q=host-77'],
  results: ['', 'kind=vulnerability', 'status=open', 'severity=high', 'port=8443', 'sort=lastSeenAt', 'sort=asset', 'q=host-77'],
  tasks: ['', 'status=blocked', 'sort=position', 'sort=priority', 'q=task 77'],
}

interface Side {
  headers: Record<string, string>
  engagementId: string
  count: number
}

export const p4Lists: Figure = {
  name: 'P4L',
  title: `Median latency of lists of ${LARGE.toLocaleString('en')} targets, results and tasks against ${SMALL.toLocaleString('en')}`,
  measure: async (bench) => {
    const url = await bench.database.createMigrated('p4_lists')
    const sideOf = async (name: string, count: number): Promise<Side> => {
      const started = performance.now()
      const organization = await seedOrganization(url, name, 10)
      const engagementId = await seedObjects(url, organization, count)
      bench.note(`${count} of each inserted in ${((performance.now() - started) / 1000).toFixed(0)} s`)
      return { headers: { ...organization.headers }, engagementId, count }
    }
    const sides = [await sideOf('small', SMALL), await sideOf('large', LARGE)]
    const sortie = await startSortie(url)
    try {
      const measured = []
      for (const [list, queries] of Object.entries(ASKED)) {
        const addressOf = ({ engagementId }: Side, query: string) => `${sortie.origin}/api/v1/${list}?engagementId=${engagementId}&perPage=${PER_PAGE}&${query}`
        const cursors = await Promise.all(sides.map((side) => placesOf(addressOf(side, ''), side)))
        const asked: [string, string[]][] = [
          ...queries.map((query): [string, string[]] => [`${list} ${query || 'page 1'}`, sides.map((side) => addressOf(side, query))]),
          ...(['middle', 'last'] as const).map((place): [string, string[]] => [
            `${list} ${place} page`,
            sides.map((side, i) => addressOf(side, `cursor=${cursors[i]?.[place]}`)),
          ]),
        ]
        for (const [what, urls] of asked) {
          const ratios: number[] = []
          const medians: number[][] = []
          for (let round = 0; round < bench.rounds; round++) {
            const latencies = await bench.sender.alternate({ urls, headers: sides.map(({ headers }) => headers), requests: REQUESTS_PER_ROUND })
            medians.push(latencies)
            ratios.push((latencies[1] as number) / (latencies[0] as number))
          }
          const [ofSmall, ofLarge] = [0, 1].map((side) => spread(medians.map((each) => each[side] as number)).median) as [number, number]
          measured.push(atMost(what, 2, 'x', spread(ratios), `${ofLarge.toFixed(1)} against ${ofSmall.toFixed(1)} ms`))
        }
      }
      return measured
    } finally {
      await sortie.stop()
    }
  },
}

/** Cursors of the middle and of the last page, by walking there; the walk meets every row once. */
const placesOf = async (address: string, { headers, count }: Side): Promise<{ middle: string; last: string }> => {
  const seen: string[] = []
  let cursor = ''
  let rows = 0
  do {
    const response = await fetch(cursor ? `${address}&cursor=${cursor}` : address, { headers })
    const page = (await response.json()) as { data: unknown[]; meta: { nextCursor: string | null } }
    if (!response.ok) throw new Error(`${address} answered ${response.status}`)
    rows += page.data.length
    cursor = page.meta.nextCursor ?? ''
    if (cursor) seen.push(cursor)
  } while (cursor)
  if (rows !== count) throw new Error(`${address} has ${rows} rows instead of ${count}`)
  return { middle: seen[Math.floor(seen.length / 2)] as string, last: seen.at(-1) as string }
}
