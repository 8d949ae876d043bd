// P11: time to paste targets with many scope rules, and to re-evaluate all targets after a change of rules.
import { atMost, type Bench, type Measured, msOf, repeat } from '../../lib/figure.ts'
import { startWithOrganization } from '../../lib/sortie.ts'

const [PASTED, RULES, TARGETS] = [10_000, 500, 100_000]

export const title = `Paste of ${PASTED.toLocaleString('en')} targets with ${RULES} scope rules; re-evaluating ${TARGETS.toLocaleString('en')} again`

export const measure = async (bench: Bench): Promise<Measured[]> => {
  const { ask } = await startWithOrganization(bench, { TARGET_LIMIT: '1000000' })
  const engagement = async (name: string): Promise<string> => {
    const { data } = await ask('POST', '/api/v1/engagements', { name })
    const text = lines(RULES, (i) => `10.${i >> 8}.${i & 255}.0/24`)
    await ask('POST', '/api/v1/scope-rules/bulk', { engagementId: data.id, effect: 'allow', text })
    return data.id
  }
  const paste = (engagementId: string, round: number) => {
    const text = lines(PASTED, (i) => `10.${round * 16 + (i >> 10)}.${(i >> 4) & 63}.${i & 15}`)
    return msOf(() => ask('POST', '/api/v1/targets/bulk', { engagementId, text }))
  }
  const pasted = await repeat(bench.rounds, async (round) => paste(await engagement(`Pasted ${round}`), 0))
  const engagementId = await engagement('Large')
  await repeat(TARGETS / PASTED, (round) => paste(engagementId, round))
  const evaluated = await repeat(bench.rounds, (round) => {
    return msOf(() =>
      ask('POST', '/api/v1/scope-rules', { engagementId, effect: 'deny', pattern: `10.${round}.0.0/16` }),
    )
  })
  return [atMost('paste', 2_000, 'ms', pasted), atMost('re-evaluating', 2_000, 'ms', evaluated)]
}

const lines = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n')
