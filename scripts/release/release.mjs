// npm run release: makes release/sortie-<version>-linux-<processor>.tar.gz, which runs without npm and without anything
// else to install. With --directory, only fills that new directory, as the image does; --without-node leaves Node out of it.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { install, ROOT, run } from '../runtime.mjs'
import { stageRelease } from './stage.mjs'

const { values } = parseArgs({
  options: { directory: { type: 'string' }, out: { type: 'string' }, 'without-node': { type: 'boolean' } },
})

if (process.platform !== 'linux') throw new Error('a release is made on Linux, for the processor of that machine')
install()
for (const part of ['web', 'server', 'cli'])
  if (run(process.execPath, [`scripts/build/build-${part}.mjs`]) !== 0) process.exit(1)

if (values.directory !== undefined) {
  stageRelease(path.resolve(values.directory), { withNode: !values['without-node'], withDocuments: false })
} else {
  const { version, commit } = JSON.parse(readFileSync(path.join(ROOT, 'server/dist/version.json'), 'utf8'))
  const out = path.resolve(values.out ?? 'release')
  mkdirSync(out, { recursive: true })
  const name = `sortie-${version}-linux-${process.arch}`
  const work = mkdtempSync(path.join(out, '.unfinished-'))
  try {
    stageRelease(path.join(work, name), { withNode: true, withDocuments: true })
    const file = path.join(out, `${name}.tar.gz`)
    const owner = ['--owner=0', '--group=0', '--numeric-owner', '--sort=name']
    const { status } = spawnSync('tar', ['-czf', file, ...owner, '-C', work, name], { stdio: 'inherit' })
    if (status !== 0) throw new Error('tar failed')
    const hash = createHash('sha256').update(readFileSync(file)).digest('hex')
    writeFileSync(`${file}.sha256`, `${hash}  ${path.basename(file)}\n`)
    console.log(`${path.resolve(file)} (commit ${commit ?? 'unknown'}, SHA-256 ${hash})`)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
