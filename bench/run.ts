// npm run bench [-- P1 P4 ...] measures figures of performance (P); a missed aim is reported, but is not an error. npm run target
// -- L5 proves a target of load and faults (L, W). Both print each value with its aim, and write a report.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { createStage } from '../server/test/support/app/server-process.ts'
import { type Figure, inTurn, lineOf } from './lib/figure.ts'
import { EVERY_CORE, pin, SENDER_CORE, startPostgres } from './lib/sortie.ts'

const string = { type: 'string' } as const
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: string, seconds: string, count: string, out: string },
})
const isTarget = positionals[0] === 'target'
const wanted = positionals.slice(1).map((name) => name.toUpperCase())
const startedAt = new Date()
const files = ['figures', 'targets'].flatMap((folder) =>
  readdirSync(path.join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `./${folder}/${file}`),
)
const all = await inTurn(files, async (file) => {
  const names = file.toUpperCase().match(/\b[LPW]\d+\b/g) ?? []
  const figure = (await import(file)) as Figure
  return names.map((name) => ({ ...figure, name }))
})
const choice = all.flat().filter(({ name }) => name.startsWith('P') !== isTarget)
choice.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
const chosen = choice.filter(({ name }) => wanted.includes(name) || (wanted.length === 0 && !isTarget))
if (chosen.length === 0 || chosen.length < wanted.length || (isTarget && chosen.length > 1)) {
  const usage = isTarget ? 'target -- NAME [--count n] [--out file]' : 'bench [-- NAME ...] [--rounds n] [--seconds n]'
  console.error(
    `Usage: npm run ${usage}\n${choice.map(({ name, title }) => `  ${name.padEnd(4)} ${title}`).join('\n')}`,
  )
  process.exit(2)
}

const reports = await inTurn(
  chosen,
  async ({ name, title, postgresCores = EVERY_CORE, benchCores = SENDER_CORE, ...figure }) => {
    console.log(`\n${name}   ${title}`)
    const notes: string[] = []
    const note = (text: string) => {
      notes.push(text)
      console.log(`     ${text}`)
    }
    const size = {
      count: Number(values.count ?? figure.count),
      rounds: Number(values.rounds ?? 5),
      seconds: Number(values.seconds ?? 4),
    }
    const stage = createStage()
    try {
      pin(postgresCores)
      const database = await startPostgres(stage)
      pin(benchCores)
      const results = await figure.measure({ stage, database, note, ...size })
      for (const measured of results) console.log(lineOf(measured))
      const machine = { cores: os.availableParallelism(), loadAverage: os.loadavg(), node: process.version }
      const reached = results.every((result) => result.reached)
      return { target: name, title, reached, ...size, startedAt, endedAt: new Date(), machine, results, notes }
    } finally {
      await stage.close()
    }
  },
)

const missed = reports.flatMap(({ target, results }) =>
  results.filter(({ reached, value }) => value && !reached).map(({ what }) => `${target} ${what}`),
)
for (const what of missed) console.log(`MISSED ${what}`)
const name = `${isTarget ? `reports/${wanted[0]}-` : 'results/'}${startedAt.toISOString().replaceAll(/[:.]/g, '-')}.json`
const file = values.out ?? path.join(import.meta.dirname, name)
mkdirSync(path.dirname(file), { recursive: true })
writeFileSync(file, `${JSON.stringify(isTarget ? reports[0] : reports, undefined, 2)}\n`)
console.log(
  `\n${missed.length === 0 ? 'Nothing missed' : `${missed.length} missed`}; written to ${path.relative(process.cwd(), file)}`,
)
process.exitCode = isTarget && !reports[0]?.reached ? 1 : 0
