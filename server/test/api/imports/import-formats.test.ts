import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { UnreadableFile } from '../../../src/features/scanner-formats/registry/format.ts'
import { readFile } from '../../../src/features/scanner-formats/registry/read-file.ts'
import { hereMs } from '../../support/app/machine.ts'

const FIXTURES = path.join(import.meta.dirname, '../../fixtures/imports')
const directory = mkdtempSync(path.join(os.tmpdir(), 'sortie-formats-'))
afterAll(() => rmSync(directory, { recursive: true }))

/** Reads bytes as an import would. */
const read = async (bytes: Uint8Array | string) => {
  const file = path.join(directory, 'file')
  writeFileSync(file, bytes)
  const found = {
    identities: new Set<string>(),
    covered: 0,
    rejected: 0,
    cut: undefined as string | undefined,
    unreadable: undefined as string | undefined,
  }
  try {
    for await (const item of readFile({
      path: file,
      format: 'auto',
      mapping: {},
      limits: { maxRatio: 100, maxBytes: 10_000_000 },
    })) {
      if (item.type === 'sighting') found.identities.add(item.sighting.identity)
      if (item.type === 'coverage') found.covered++
      if (item.type === 'rejection') found.rejected++
      if (item.type === 'cut') found.cut = item.reason
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    found.unreadable = error.message
  }
  return found
}

const FILES = readdirSync(FIXTURES)

test.each(FILES)(
  '%s, cut anywhere, reports it and imports nothing that the whole file does not, except the piece at the cut',
  async (name) => {
    const whole = readFileSync(path.join(FIXTURES, name))
    const all = await read(whole)
    for (let part = 1; part < 40; part++) {
      const { identities, covered, rejected, cut, unreadable } = await read(
        whole.subarray(0, Math.floor((whole.length * part) / 40)),
      )
      expect([...identities].filter((identity) => !all.identities.has(identity)).length).toBeLessThanOrEqual(1)
      expect(covered).toBeLessThanOrEqual(all.covered)
      const isWhole = identities.size === all.identities.size
      // Neither a list of lines nor a file cut between two records misses an end marker.
      if (!isWhole && /\.(?:xml|nessus)$|^(?:zap|sarif|cyclonedx)\.json$/.test(name))
        expect(cut ?? unreadable ?? rejected).toBeTruthy()
    }
  },
)

test.each(FILES)('%s with random bytes is read to its end, or refused as a whole', async (name) => {
  const whole = readFileSync(path.join(FIXTURES, name))
  const started = performance.now()
  for (let seed = 1; seed < 30; seed++) {
    const wild = Buffer.from(whole)
    for (let at = seed; at < wild.length; at += 13 * seed) wild[at] = (at * 31 + seed * 7) % 256
    await read(wild)
  }
  expect(performance.now() - started).toBeLessThan(hereMs(20_000))
})

test('one truncated line costs one row', async () => {
  const rows = [
    '{"ip":"192.0.2.1","port":22}',
    '{"ip":"192.0.2.2","po',
    '{"ip":"192.0.2.3","port":22}',
    '{"ip":"192.0.2.4","port":22,"x":"\\"',
    '{"ip":"192.0.2.5","port":22}',
  ]
  const { identities, rejected } = await read(rows.join('\n'))
  expect([identities.size, rejected]).toEqual([3, 2])
})

test.each([
  ['sep=;', ';'],
  ['sep=,', ','],
  ['"SEP=|"', '|'],
])('csv: a first line %s names the separator, and is not the header', async (line, separator) => {
  const rows = ['title,severity,host', 'A,high,192.0.2.1'].map((row) => row.replaceAll(',', separator))
  const plain = await read('title,severity,host\nA,high,192.0.2.1\n')
  expect(plain.identities.size).toBe(1)
  for (const start of ['', '\uFEFF']) expect(await read(`${start}${[line, ...rows].join('\r\n')}`)).toEqual(plain)
})

test('slow inputs take time in proportion to their size', async () => {
  const hostile = [
    `<nmaprun scanner="nmap"><host ${'a="1" '.repeat(10)}>${'<port/>'.repeat(200_000)}</host></nmaprun>`,
    `<nmaprun scanner="nmap"><!--${'-- '.repeat(300_000)}-->`,
    `${'['.repeat(500_000)}{"template-id":"x"}`,
    `{"template-id":"x","a":"${'\\"'.repeat(500_000)}`,
    `{"template-id":"x"${',"a":1'.repeat(200_000)}}`,
    `{"runs":[{"results":[${'{"a":'.repeat(200)}1${'}'.repeat(200)}]}],"version":"2.1.0"}`,
    `title,severity\n"${'""'.repeat(500_000)}`,
    `title,severity${',x'.repeat(300_000)}\n${'a,'.repeat(300_000)}`,
    `${'a.'.repeat(500_000)}\nb`,
    `open tcp 80 192.0.2.1 1\nbanner tcp 80 192.0.2.1 1 http ${'\\x41'.repeat(300_000)}`,
  ]
  for (const text of hostile) {
    const started = performance.now()
    await read(text)
    expect(performance.now() - started, text.slice(0, 40)).toBeLessThan(hereMs(10_000))
  }
})
