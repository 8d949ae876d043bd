import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { inflateSync } from 'node:zlib'
import PizZip from 'pizzip'

const run = promisify(execFile)

/** The files within an output: all of a ZIP, otherwise the file itself. */
export const partsOf = (bytes: Buffer): Map<string, Buffer> => {
  if (bytes.toString('latin1', 0, 2) !== 'PK') return new Map([['', bytes]])
  const { files } = new PizZip(bytes)
  return new Map(
    Object.entries(files).flatMap(([name, file]) => (file.dir ? [] : [[name, Buffer.from(file.asUint8Array())]])),
  )
}

/** The colours of the pictures in a file, as `red,green,blue`: PNG as parts of a ZIP and in data URIs, all of a PDF. */
export const coloursIn = async (bytes: Buffer): Promise<Set<string>> => {
  if (bytes.toString('latin1', 0, 5) === '%PDF-') return coloursOfPdf(bytes)
  const colours = new Set<string>()
  for (const part of partsOf(bytes).values()) {
    const pictures = isPng(part) ? [part] : inDataUris(part.toString('latin1'))
    for (const picture of pictures.filter(isPng)) for (const colour of coloursOfPng(picture)) colours.add(colour)
  }
  return colours
}

const isPng = (bytes: Buffer): boolean => bytes.toString('latin1', 1, 4) === 'PNG'

const inDataUris = (text: string): Buffer[] =>
  text
    .split('base64,')
    .slice(1)
    .map((rest) => Buffer.from(/^[A-Za-z0-9+/=]+/.exec(rest)?.[0] ?? '', 'base64'))

/** Of a PNG with 8 bits for each of three colours, and rows without a filter, as the tests write them. */
const coloursOfPng = (png: Buffer): Set<string> => {
  const data: Buffer[] = []
  for (let at = 8; at + 12 <= png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  const raw = inflateSync(Buffer.concat(data))
  const row = png.readUInt32BE(16) * 3 + 1
  const colours = new Set<string>()
  for (let start = 0; start < raw.length; start += row)
    for (let at = start + 1; at < start + row; at += 3) colours.add(raw.subarray(at, at + 3).join())
  return colours
}

const coloursOfPdf = async (pdf: Buffer): Promise<Set<string>> => {
  const directory = await mkdtemp(path.join(tmpdir(), 'sortie-pictures-'))
  try {
    await writeFile(path.join(directory, 'report.pdf'), pdf)
    await run('pdfimages', ['report.pdf', 'image'], { cwd: directory })
    await run('pdftoppm', ['-r', '60', 'report.pdf', 'page'], { cwd: directory })
    const colours = new Set<string>()
    for (const name of await readdir(directory))
      if (name.endsWith('.ppm'))
        for (const colour of coloursOfPpm(await readFile(path.join(directory, name)))) colours.add(colour)
    return colours
  } finally {
    await rm(directory, { recursive: true })
  }
}

/** Of a binary PPM: three lines of text, then the pixels. */
const coloursOfPpm = (ppm: Buffer): Set<string> => {
  let start = 0
  for (let line = 0; line < 3; line++) start = ppm.indexOf('\n', start) + 1
  const colours = new Set<string>()
  for (let at = start; at + 2 < ppm.length; at += 3) colours.add(`${ppm[at]},${ppm[at + 1]},${ppm[at + 2]}`)
  return colours
}
