// P14: saving a large page that another user has saved in between; and full-text search in many pages against few,
// alternately.
import { atMost, type Bench, type Measured, msOf, ratios, repeat } from '../../lib/figure.ts'
import { compareLatencies } from '../../lib/load.ts'
import { asker, seedOrganization, startServer } from '../../lib/sortie.ts'

const PARAGRAPH =
  'Consultants write what they saw, and someone else writes at the same time, so that a text grows from two ends at once and nothing of it is lost in the end. '
const LONG = Array.from({ length: 500 }, (_, index) => `${index}: ${PARAGRAPH}${'x'.repeat(40)}`).join('\n\n')
const [FEW_PAGES, MANY_PAGES] = [100, 10_000]

export const title = `Saving a page of 100 kB with a merge; full-text search over ${MANY_PAGES.toLocaleString('en')} pages`

export const measure = async (bench: Bench): Promise<Measured[]> => {
  const DATABASE_URL = await bench.database()
  const { origin } = await startServer(bench, { env: { DATABASE_URL } })
  const sideOf = async (name: string, pages: number) => {
    const { headers } = await seedOrganization(DATABASE_URL, name, 10)
    const ask = asker(`${origin}/api/v1`, headers)
    const { data: engagement } = await ask('POST', '/engagements', { name: 'Pages' })
    await repeat(pages, (index) => {
      // One word is in one page, one in every hundredth page, and the others in all.
      const body = `Notes of host ${index}. ${PARAGRAPH.repeat(10)} ${index === 50 ? 'zerologon' : ''} ${index % 100 === 0 ? 'kerberoasting' : 'nothing'}`
      return ask('POST', '/wiki-pages', { engagementId: engagement.id, title: `Page ${index}`, body })
    })
    return { headers, ask }
  }
  const [few, many] = [await sideOf('few', FEW_PAGES), await sideOf('many', MANY_PAGES)]
  let { data: page } = await few.ask('POST', '/wiki-pages', { title: 'Long', body: LONG })
  const merges = await repeat(bench.rounds * 10, async (round) => {
    const save = (at: number) => {
      const lines = (page.body as string).split('\n\n')
      const body = lines.with(at, `${lines[at]} round ${round}`).join('\n\n')
      return few.ask('PATCH', `/wiki-pages/${page.id}`, { body, baseRevision: page.revision })
    }
    await save(round % 200)
    return msOf(async () => {
      const { data, meta } = await save(300 + (round % 200))
      if (!meta.merged) throw new Error('nothing was merged')
      page = data
    })
  })
  const measured = [atMost('save with merge', 30, 'ms', merges)]
  for (const word of ['zerologon', 'kerberoasting', 'consultants']) {
    const asked = ({ headers }: typeof few) => ({ url: `${origin}/api/v1/search?q=${word}&type=page`, headers })
    const { our, their } = await compareLatencies(bench, asked(many), asked(few), 30)
    measured.push(atMost(`search for ${word}`, 50, 'ms', our))
    measured.push(atMost(`search for ${word} against ${FEW_PAGES} pages`, 2, 'x', ratios(our, their)))
  }
  return measured
}
