import { readFileSync } from 'node:fs'

/** A font of ours, loaded whole into a compiler only if a text needs it. */
interface FontGroup {
  family: string
  /** Below `fonts/`. */
  files: readonly string[]
}

const INTER = ['400Regular', '400Regular_Italic', '500Medium', '600SemiBold', '700Bold', '700Bold_Italic']
const MONO = ['400Regular', '400Regular_Italic', '500Medium', '700Bold']

/** Every document has these. */
const ALWAYS: readonly FontGroup[] = [
  { family: 'Inter', files: INTER.map((style) => `inter/Inter_${style}.ttf`) },
  { family: 'JetBrains Mono', files: MONO.map((style) => `jetbrains-mono/JetBrainsMono_${style}.ttf`) },
]
const noto = (family: string): FontGroup => ({
  family,
  files: ['400Regular', '700Bold'].map((style) => `noto/${family.replaceAll(' ', '')}_${style}.ttf`),
})
/**
 * In the order in which a character is looked up. There is one font for Chinese and Japanese, and none for Korean: they
 * take 20 MB more, and a template can bring its own.
 */
const BY_NEED: readonly FontGroup[] = [
  noto('Noto Sans Arabic'),
  noto('Noto Sans Hebrew'),
  noto('Noto Sans Devanagari'),
  { family: 'Noto Sans S Chinese', files: ['noto/NotoSansHans-Regular.otf'] },
  { family: 'Noto Emoji', files: ['noto/NotoEmoji_400Regular.ttf'] },
]

const readFont = (file: string): Buffer => readFileSync(new URL(`fonts/${file}`, import.meta.url))

export interface ChosenFonts {
  blobs: Buffer[]
  /** Names of the fonts that are looked at for characters which a text's own font lacks. */
  fallback: string[]
  /** Code points that no font shows. */
  missing: Set<number>
}

/**
 * Chooses fonts for a text.
 *
 * @param used its code points
 * @param own fonts of the template
 */
export const chooseFonts = (used: ReadonlySet<number>, own: readonly Uint8Array[]): ChosenFonts => {
  const blobs = [...own.map((bytes) => Buffer.from(bytes)), ...ALWAYS.flatMap(({ files }) => files.map(readFont))]
  const missing = new Set(used)
  const cover = (blob: Buffer): boolean => {
    const before = missing.size
    for (const [from, to] of coverageOf(blob)) {
      if (to - from > missing.size) {
        for (const point of missing) if (point >= from && point <= to) missing.delete(point)
      } else {
        for (let point = from; point <= to; point++) missing.delete(point)
      }
    }
    return missing.size < before
  }
  for (const blob of blobs) cover(blob)
  const fallback = ['Inter']
  for (const { family, files } of BY_NEED) {
    if (missing.size === 0) break
    const [first, ...rest] = files.map(readFont) as [Buffer, ...Buffer[]]
    if (!cover(first)) continue
    blobs.push(first, ...rest)
    fallback.push(family)
  }
  return { blobs, fallback, missing }
}

/**
 * Ranges of code points that a TrueType or OpenType font has glyphs for; none for a file that is not a font.
 *
 * Reads the tables `cmap` of format 4 and 12, the only ones that fonts use for Unicode today.
 */
export const coverageOf = (font: Uint8Array): [from: number, to: number][] => {
  const view = new DataView(font.buffer, font.byteOffset, font.byteLength)
  try {
    const start = tableAt(view, 'cmap')
    if (start === undefined) return []
    const ranges: [number, number][] = []
    for (let index = 0; index < view.getUint16(start + 2); index++) {
      const at = start + view.getUint32(start + 8 + 8 * index)
      const format = view.getUint16(at)
      if (format === 12) ranges.push(...groups(view, at))
      else if (format === 4) ranges.push(...segments(view, at))
    }
    return ranges
  } catch (error) {
    if (error instanceof RangeError) return []
    throw error
  }
}

const tableAt = (view: DataView, name: string): number | undefined => {
  for (let index = 0; index < view.getUint16(4); index++) {
    const at = 12 + 16 * index
    const tag = String.fromCharCode(...[0, 1, 2, 3].map((byte) => view.getUint8(at + byte)))
    if (tag === name) return view.getUint32(at + 8)
  }
  return undefined
}

const groups = (view: DataView, at: number): [number, number][] =>
  Array.from({ length: view.getUint32(at + 12) }, (_, index) => [
    view.getUint32(at + 16 + 12 * index),
    view.getUint32(at + 20 + 12 * index),
  ])

const segments = (view: DataView, at: number): [number, number][] => {
  const count = view.getUint16(at + 6) / 2
  return Array.from({ length: count }, (_, index): [number, number] => [
    view.getUint16(at + 16 + 2 * count + 2 * index),
    view.getUint16(at + 14 + 2 * index),
  ]).filter(([from]) => from !== 0xffff)
}
