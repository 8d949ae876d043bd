import { atMost, type Figure, type Measured } from '../lib/figure.ts'
import { type SeededOrganization, seedOrganization } from '../lib/seed.ts'
import { MEMBERS, startSortie } from '../lib/sortie.ts'
import { spread } from '../lib/statistics.ts'

const SMALL = 100
const LARGE = 1_000_000
const PER_PAGE = 20
const REQUESTS_PER_ROUND = 150

/** Pages as `[what, page of the small organization, page of the large one]`. */
const PAGES: [string, number, number][] = [
  ['page 1', 1, 1],
  ['middle page', SMALL / PER_PAGE / 2 + 0.5, LARGE / PER_PAGE / 2],
  ['last page', SMALL / PER_PAGE, LARGE / PER_PAGE],
]

export const p4: Figure = {
  name: 'P4',
  title: `Median latency of a page of ${LARGE.toLocaleString('en')} members against one of ${SMALL}`,
  measure: async (bench) => {
    const url = await bench.database.createMigrated('p4')
    const small = await seedOrganization(url, 'small', SMALL)
    const started = performance.now()
    const large = await seedOrganization(url, 'large', LARGE)
    bench.note(`${LARGE} accounts and memberships inserted in ${((performance.now() - started) / 1000).toFixed(0)} s`)
    const sortie = await startSortie(url)
    try {
      const pageOf = (page: number) => `${sortie.origin}${MEMBERS}?page=${page}&perPage=${PER_PAGE}`
      const urls = PAGES.flatMap(([, ofSmall, ofLarge]) => [pageOf(ofSmall), pageOf(ofLarge)])
      const headers = PAGES.flatMap(() => [small.headers, large.headers])
      await bench.sender.alternate({ urls, headers, requests: 50 })
      const rounds: number[][] = []
      for (let round = 0; round < bench.rounds; round++) rounds.push(await bench.sender.alternate({ urls, headers, requests: REQUESTS_PER_ROUND }))
      return [
        ...PAGES.map(([what], i) => {
          const [ofSmall, ofLarge] = [i * 2, i * 2 + 1].map((side) => spread(rounds.map((medians) => medians[side] as number)).median) as [number, number]
          const ratio = spread(rounds.map((medians) => (medians[i * 2 + 1] as number) / (medians[i * 2] as number)))
          return atMost(what, 2, 'x', ratio, `${ofLarge.toFixed(2)} against ${ofSmall.toFixed(2)} ms`)
        }),
        await exactness(pageOf, large),
      ]
    } finally {
      await sortie.stop()
    }
  },
}

/** The large organization's first, middle and last page say the true total and hold members in the right order. */
const exactness = async (pageOf: (page: number) => string, large: SeededOrganization): Promise<Measured> => {
  let wrong = 0
  for (const [, , page] of PAGES) {
    const { data, meta } = (await (await fetch(pageOf(page), { headers: large.headers })).json()) as { data: { name: string }[]; meta: { total: number } }
    if (meta.total !== LARGE) wrong++
    if (data.some(({ name }, i) => name !== `Person ${(page - 1) * PER_PAGE + i + 1}`) || data.length !== PER_PAGE) wrong++
  }
  return { what: 'pages with a wrong total or a wrong row', aim: '0', value: spread([wrong]), unit: '', reached: wrong === 0 }
}
