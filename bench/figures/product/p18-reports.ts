// P18: time from the request for a file of a report to its end, by the number of findings, each with a picture; and how
// long others wait for an answer meanwhile.
import { setTimeout as sleep } from 'node:timers/promises'
import { screenshot } from '../../../server/test/support/reports/png.ts'
import { type Bench, inTurn, type Measured, msOf, percentile, repeat, reported } from '../../lib/figure.ts'
import { startWithOrganization } from '../../lib/sortie.ts'

const SIZES = [40, 150, 300]
const FORMATS = ['pdf', 'html', 'docx'] as const
const PARAGRAPH = 'The application **trusts** an identifier that the `request` names, and shows the object to anyone. '

export const title = `Files of a report of ${SIZES.join(', ')} findings with a picture each`
/** The largest size; `--count 40` measures only the first. */
export const count = 300

export const measure = async (bench: Bench): Promise<Measured[]> => {
  const { server, headers, ask } = await startWithOrganization(bench)
  const send = async (path: string, body: string | Buffer, type: string) => {
    const answer = await fetch(`${server.origin}/api/v1${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': type },
      body: new Uint8Array(Buffer.from(body)),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return ((await answer.json()) as { data: { id: string } }).data
  }
  const post = (path: string, body: object) => send(path, JSON.stringify(body), 'application/json')
  const reportOf = async (findings: number): Promise<string> => {
    const { id: engagementId } = await post('/engagements', { name: `With ${findings} findings` })
    await repeat(findings, async (index) => {
      const sections = ['summary', 'description', 'impact', 'reproduction', 'recommendation']
      const texts = Object.fromEntries(sections.map((name) => [name, PARAGRAPH.repeat(5)]))
      const { id } = await post('/findings', { engagementId, title: `Finding ${index}`, severity: 'medium', ...texts })
      await send(`/findings/${id}/files?fileName=shot.png`, Buffer.from(screenshot(400, 300)), 'image/png')
    })
    return (await post('/reports', { engagementId, title: 'Penetration test' })).id
  }
  const measured = await inTurn(
    SIZES.filter((size) => size <= bench.count),
    async (size) => {
      const id = await reportOf(size)
      return inTurn(FORMATS, async (format) => {
        const waits: number[] = []
        const times = await repeat(bench.rounds, () =>
          msOf(async () => {
            let { data } = await ask('POST', `/api/v1/reports/${id}/render`, { format })
            while (data.state === 'queued' || data.state === 'running') {
              await sleep(50)
              waits.push(
                await msOf(async () => {
                  data = (await ask('GET', `/api/v1/report-renders/${data.id}`)).data
                }),
              )
            }
            if (data.state !== 'succeeded') throw new Error(`${format}: ${JSON.stringify(data.problems)}`)
          }),
        )
        const remark = `others waited ${percentile(waits, 0.5).toFixed(0)} ms, 99 of 100 at most ${percentile(waits, 0.99).toFixed(0)} ms`
        return reported(`${format} of ${size} findings`, 'ms', times, remark)
      })
    },
  )
  return measured.flat()
}
