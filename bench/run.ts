// npm run bench [-- P1 P4 ...]: measures the figures and prints each with its aim. Missing an aim is said, not an error.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { p1 } from './figures/p1-bare.ts'
import { p2 } from './figures/p2-ceiling.ts'
import { p3 } from './figures/p3-alternatives.ts'
import { p4Lists } from './figures/p4-lists.ts'
import { p4 } from './figures/p4-size.ts'
import { p5 } from './figures/p5-deleted-key.ts'
import { p6 } from './figures/p6-footprint.ts'
import { p7 } from './figures/p7-limiter.ts'
import { p8 } from './figures/p8-overload.ts'
import { p9 } from './figures/p9-services.ts'
import { p10 } from './figures/p10-import.ts'
import { p11 } from './figures/p11-targets.ts'
import { p12 } from './figures/p12-ports.ts'
import { p13 } from './figures/p13-requests.ts'
import { p14 } from './figures/p14-wiki.ts'
import { p15 } from './figures/p15-fairness.ts'
import { p16 } from './figures/p16-interface.ts'
import { startDatabase } from './lib/database.ts'
import { type Figure, lineOf, type Measured } from './lib/figure.ts'
import { startSender } from './lib/load.ts'

const FIGURES: readonly Figure[] = [p1, p2, p3, p4, p4Lists, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, p16]
const RESULTS = path.join(import.meta.dirname, 'results')

const main = async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '4' } },
  })
  const wanted = positionals.map((name) => name.toUpperCase())
  const unknown = wanted.find((name) => !FIGURES.some((figure) => figure.name === name))
  if (unknown) throw new Error(`There is no figure ${unknown}; there are ${FIGURES.map(({ name }) => name).join(', ')}.`)
  const figures = FIGURES.filter(({ name }) => wanted.length === 0 || wanted.includes(name))

  const database = await startDatabase()
  const sender = startSender()
  const bench = { database, sender, rounds: Number(values.rounds), seconds: Number(values.seconds), note: (text: string) => console.log(`     ${text}`) }
  const results: (Measured & { figure: string })[] = []
  try {
    for (const figure of figures) {
      console.log(`\n${figure.name}   ${figure.title}`)
      for (const measured of await figure.measure(bench)) {
        results.push({ figure: figure.name, ...measured })
        console.log(lineOf(measured))
      }
    }
  } finally {
    sender.stop()
    await database.stop()
  }
  const missed = results.filter(({ reached, value }) => value && !reached)
  const unmeasured = results.filter(({ value }) => !value)
  console.log(`\n${results.length - missed.length - unmeasured.length} reached, ${missed.length} missed, ${unmeasured.length} not measured`)
  for (const { figure, what } of missed) console.log(`MISSED ${figure} ${what}`)
  mkdirSync(RESULTS, { recursive: true })
  const file = path.join(RESULTS, `${new Date().toISOString().replaceAll(/[:.]/g, '-')}.json`)
  writeFileSync(file, `${JSON.stringify({ rounds: bench.rounds, seconds: bench.seconds, node: process.version, results }, undefined, 2)}\n`)
  console.log(`Written to ${path.relative(process.cwd(), file)}`)
}

await main()
